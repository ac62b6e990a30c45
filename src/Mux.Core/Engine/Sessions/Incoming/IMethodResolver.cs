using Mux.Contracts;

namespace Mux.Engine;

/// <summary>Finds the method that a peer's DEFINE names. Safe for concurrent use.</summary>
internal interface IMethodResolver
{
    /// <summary>Gets the method of this name and shape. If there is none, gets one that fails every request with Unimplemented, not executed.</summary>
    InboundMethod Resolve(ReadOnlySpan<byte> name, MethodShape shape);
}
