using Mux.Contracts;

namespace Mux.Engine;

/// <summary>Fails every request of a name that no service has.</summary>
/// <param name="text">Message for the caller.</param>
internal sealed class UnknownMethod(string text) : InboundMethod
{
    /// <summary>The shared instance, for names of which nothing is kept.</summary>
    public static UnknownMethod Instance { get; } = new("This service or method does not exist here.");

    public override MethodDescriptor? Descriptor => null;

    public override string Absence => text;

    public override void Invoke(in InboundCall call, ReadOnlySpan<byte> body) => call.Fail(MuxStatus.Unimplemented, MuxExecution.NotExecuted, text);
}
