using System.Text;
using Mux.Contracts;
using Mux.Engine;
using Mux.ProtocolCases.Cases;

namespace Mux.Spec.Engine;

/// <summary>The methods that cases call.</summary>
internal sealed class EngineMethods : IMethodResolver
{
    private static readonly Dictionary<string, EngineMethod> s_methods = new[]
    {
        Make(SpecMethods.Echo, MethodShape.Unary), Make(SpecMethods.Wait, MethodShape.Unary), Make(SpecMethods.Up, MethodShape.RequestStream), Make(SpecMethods.Down, MethodShape.ResponseStream),
        Make(SpecMethods.Both, MethodShape.Duplex),
    }.ToDictionary(method => method.Descriptor.FullName);

    public InboundMethod Resolve(ReadOnlySpan<byte> name, MethodShape shape) =>
        s_methods.TryGetValue(Encoding.UTF8.GetString(name), out var method) && method.Descriptor.Shape == shape ? method : UnknownMethod.Instance;

    private static EngineMethod Make(string name, MethodShape shape)
    {
        var parts = name.Split('/');
        return new EngineMethod(new MethodDescriptor(parts[0], parts[1], shape, takesToken: name != SpecMethods.Echo), answersAtOnce: name == SpecMethods.Echo);
    }
}
