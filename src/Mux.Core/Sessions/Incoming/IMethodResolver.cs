using Mux.Contracts;

namespace Mux.Sessions.Incoming;

/// <summary>Finds what a peer's DEFINE names. Safe for concurrent use.</summary>
internal interface IMethodResolver
{
    /// <summary>The method of this name and shape; where there is none, one that fails every request with Unimplemented, not executed.</summary>
    InboundMethod Resolve(ReadOnlySpan<byte> name, MethodShape shape);
}
