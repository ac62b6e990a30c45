using Mux.Contracts;

namespace Mux.Connections;

/// <summary>What runs the requests of one method: above this layer, the typed handler. Safe for concurrent use.</summary>
internal abstract class InboundMethod
{
    /// <summary>Its identity, or null for a method this side does not have.</summary>
    public abstract MethodDescriptor? Descriptor { get; }

    /// <summary>
    /// Runs one request and answers it exactly once through <paramref name="call"/>, now or later. Never throws. The body is valid during the call only.
    /// </summary>
    public abstract void Invoke(in InboundCall call, ReadOnlySpan<byte> body);
}
