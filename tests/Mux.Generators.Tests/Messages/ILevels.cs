using ProtoBuf;

namespace Mux.Generators.Tests.Messages;

/// <summary>A contract with a level of its own.</summary>
[MuxService("levels"), CompatibilityLevel(CompatibilityLevel.Level300)]
internal interface ILevels
{
    ValueTask<DateTime?> Alone(Guid id);

    ValueTask<decimal[]> Several(List<TimeSpan> spans);

    ValueTask<Uri?> Together(Guid id, DateTime date, decimal amount);

    ValueTask<ReadOnlyMemory<byte>> Day(DateOnly day);
}
