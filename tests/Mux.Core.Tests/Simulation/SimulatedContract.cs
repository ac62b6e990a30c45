using Mux.Contracts;

namespace Mux.Core.Tests.Simulation;

/// <summary>What both sides of a simulation offer each other. The last method is offered by nobody.</summary>
internal static class SimulatedContract
{
    public static IReadOnlyList<(MethodDescriptor Method, SimulatedBehaviour Behaviour)> Methods { get; } =
    [
        (New("AtOnce"), SimulatedBehaviour.AtOnce),
        (New("Fails"), SimulatedBehaviour.Fails),
        (New("Later"), SimulatedBehaviour.Later),
        (New("LaterWithToken", takesToken: true), SimulatedBehaviour.LaterWithToken),
        (New("Pooled"), SimulatedBehaviour.Pooled),
        (New("Tell", MethodShape.OneWay), SimulatedBehaviour.AtOnce),
        (New("TellLater", MethodShape.OneWay), SimulatedBehaviour.Later),
    ];

    public static MethodDescriptor Missing { get; } = New("Missing");

    private static MethodDescriptor New(string name, MethodShape shape = MethodShape.Unary, bool takesToken = false) =>
        new("simulated", name, shape, takesToken);
}
