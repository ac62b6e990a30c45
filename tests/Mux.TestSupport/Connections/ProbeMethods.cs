using System.Text;
using Mux.Connections;
using Mux.Contracts;

namespace Mux.TestSupport.Connections;

/// <summary>Methods of a test, by name. Unknown names behave as they do at a server.</summary>
internal sealed class ProbeMethods : IMethodResolver
{
    private readonly Dictionary<string, ProbeMethod> _methods = [];

    public ProbeMethod Add(string name, MethodShape shape = MethodShape.Unary, bool takesToken = false)
    {
        var parts = name.Split('/');
        return _methods[name] = new ProbeMethod(new MethodDescriptor(parts[0], parts[1], shape, MuxDispatch.Default, takesToken));
    }

    public InboundMethod Resolve(ReadOnlySpan<byte> name, MethodShape shape) =>
        _methods.TryGetValue(Encoding.UTF8.GetString(name), out var method) && method.Descriptor.Shape == shape ? method : UnknownMethod.Instance;
}
