using Mux.Fuzz.Tests.Targets;

namespace Mux.Fuzz.Tests;

/// <summary>Everything that takes a peer's bytes.</summary>
internal static class FuzzTargets
{
    public static IReadOnlyList<FuzzTarget> All { get; } =
    [
        new FrameTarget(),
        new HandshakeTarget(accepting: true),
        new HandshakeTarget(accepting: false),
        new MetadataTarget(),
        new ConnectionTarget(accepting: true),
        new ConnectionTarget(accepting: false),
        new ReassemblyTarget(accepting: true),
        new ReassemblyTarget(accepting: false),
        new CodecTarget(),
    ];

    public static FuzzTarget Find(string name) => All.Single(target => target.Name == name);
}
