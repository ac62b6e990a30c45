using ProtoBuf;

namespace Mux.Generators.Tests.Messages;

/// <summary>Written as a date at the level that holds where it is declared.</summary>
[ProtoContract(Surrogate = typeof(DateTime))]
public sealed class LeveledDate
{
    public DateTime Date { get; init; }

    public static explicit operator DateTime(LeveledDate date) => date.Date;

    public static explicit operator LeveledDate(DateTime date) => new() { Date = date };
}
