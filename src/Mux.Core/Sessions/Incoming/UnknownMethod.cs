using Mux.Contracts;

namespace Mux.Sessions.Incoming;

/// <summary>What a name resolves to that no service has: fails every request.</summary>
/// <param name="text">What the caller is told.</param>
internal sealed class UnknownMethod(string text) : InboundMethod
{
    /// <summary>The one for all names of which nothing is kept.</summary>
    public static UnknownMethod Instance { get; } = new("This service or method does not exist here.");

    public override MethodDescriptor? Descriptor => null;

    public override string Absence => text;

    public override void Invoke(in InboundCall call, ReadOnlySpan<byte> body) => call.Fail(MuxStatus.Unimplemented, MuxExecution.NotExecuted, text);
}
