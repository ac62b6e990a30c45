using System.Collections.Concurrent;
using System.Text;
using Mux.Contracts;
using Mux.Engine;

namespace Mux.TestSupport.Connections;

/// <summary>Methods of a test, by name. Unknown names behave as they do at a server.</summary>
internal sealed class ProbeMethods : IMethodResolver
{
    // One per method and process, as generated code has it: descriptors are numbered, and the tables of connections are as long as the highest number.
    private static readonly ConcurrentDictionary<(string Name, MethodShape Shape, bool TakesToken, int MaxMessage), MethodDescriptor> s_descriptors = [];

    private readonly Dictionary<string, ProbeMethod> _methods = [];

    /// <summary>Methods beside the probes: each has all names with its shape.</summary>
    public List<InboundMethod> Others { get; } = [];

    /// <summary>Finds names that are none of the probes; null for a server that has no other methods.</summary>
    public Func<string, MethodShape, InboundMethod?>? Fallback { get; set; }

    public ProbeMethod Add(string name, MethodShape shape = MethodShape.Unary, bool takesToken = false, int maxMessage = 0) =>
        _methods[name] = new ProbeMethod(s_descriptors.GetOrAdd((name, shape, takesToken, maxMessage), Describe));

    public InboundMethod Resolve(ReadOnlySpan<byte> name, MethodShape shape) =>
        _methods.TryGetValue(Encoding.UTF8.GetString(name), out var method) && method.Descriptor.Shape == shape ? method
            : Fallback?.Invoke(Encoding.UTF8.GetString(name), shape) ?? FindOther(shape);

    private InboundMethod FindOther(MethodShape shape)
    {
        foreach (var method in Others)
        {
            if (method.Descriptor!.Shape == shape) return method;
        }

        return UnknownMethod.Instance;
    }

    private static MethodDescriptor Describe((string Name, MethodShape Shape, bool TakesToken, int MaxMessage) method)
    {
        var parts = method.Name.Split('/');
        return new MethodDescriptor(parts[0], parts[1], method.Shape, method.TakesToken) { Choices = new MethodChoices { MaxMessageBytes = method.MaxMessage } };
    }
}
