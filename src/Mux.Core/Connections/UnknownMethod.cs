using Mux.Contracts;

namespace Mux.Connections;

/// <summary>What a name resolves to that no service has: fails every request, and keeps nothing of the name.</summary>
internal sealed class UnknownMethod : InboundMethod
{
    private UnknownMethod()
    {
    }

    public static UnknownMethod Instance { get; } = new();

    public override MethodDescriptor? Descriptor => null;

    public override void Invoke(in InboundCall call, ReadOnlySpan<byte> body) =>
        call.Fail(MuxStatus.Unimplemented, MuxExecution.NotExecuted, "This service or method does not exist here.");
}
