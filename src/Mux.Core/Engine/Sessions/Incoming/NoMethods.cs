using Mux.Contracts;

namespace Mux.Engine;

/// <summary>Resolves nothing: this side has no services.</summary>
internal sealed class NoMethods : IMethodResolver
{
    private NoMethods()
    {
    }

    public static NoMethods Instance { get; } = new();

    public InboundMethod Resolve(ReadOnlySpan<byte> name, MethodShape shape) => UnknownMethod.Instance;
}
