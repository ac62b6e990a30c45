using System.Collections.Concurrent;
using System.Text;
using Mux.Connections;
using Mux.Contracts;

namespace Mux.TestSupport.Connections;

/// <summary>Methods of a test, by name. Unknown names behave as they do at a server.</summary>
internal sealed class ProbeMethods : IMethodResolver
{
    // One per method and process, as generated code has it: descriptors are numbered, and the tables of connections are as long as the highest number.
    private static readonly ConcurrentDictionary<(string Name, MethodShape Shape, bool TakesToken), MethodDescriptor> s_descriptors = [];

    private readonly Dictionary<string, ProbeMethod> _methods = [];

    public ProbeMethod Add(string name, MethodShape shape = MethodShape.Unary, bool takesToken = false) =>
        _methods[name] = new ProbeMethod(s_descriptors.GetOrAdd((name, shape, takesToken), Describe));

    public InboundMethod Resolve(ReadOnlySpan<byte> name, MethodShape shape) =>
        _methods.TryGetValue(Encoding.UTF8.GetString(name), out var method) && method.Descriptor.Shape == shape ? method : UnknownMethod.Instance;

    private static MethodDescriptor Describe((string Name, MethodShape Shape, bool TakesToken) method)
    {
        var parts = method.Name.Split('/');
        return new MethodDescriptor(parts[0], parts[1], method.Shape, MuxDispatch.Default, method.TakesToken);
    }
}
