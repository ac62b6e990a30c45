namespace Mux.Generators.Tests.Messages;

/// <summary>A contract that is read by peers with protobuf-net.Grpc.</summary>
[MuxService("levelsAsNet"), MuxCompatibilityLevel(MuxCompatibilityLevel.Level300, SingleValues = MuxCompatibilityLevel.Level200)]
internal interface ILevelsAsNet
{
    ValueTask<DateTime?> Alone(Guid id);

    ValueTask<decimal[]> Several(List<TimeSpan> spans);
}
