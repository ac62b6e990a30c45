using Mux.Contracts;

namespace Mux.Sessions.Incoming;

/// <summary>A side that has no services: whatever its peer calls does not exist.</summary>
internal sealed class NoMethods : IMethodResolver
{
    private NoMethods()
    {
    }

    public static NoMethods Instance { get; } = new();

    public InboundMethod Resolve(ReadOnlySpan<byte> name, MethodShape shape) => UnknownMethod.Instance;
}
