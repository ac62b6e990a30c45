using Mux.Contracts;

namespace Mux.Generators.Tests.Codecs;

/// <summary>The codecs of all methods of a contract, by the wire name of the method.</summary>
public sealed class ContractCodecs<TService> : MessageCodec.Source, IMethodVisitor
    where TService : class
{
    private readonly Dictionary<string, MessageCodec> _requests = [];
    private readonly Dictionary<string, MessageCodec> _responses = [];

    public ContractCodecs()
    {
        ServiceContract<TService>.Get().Describe(this);
    }

    public override MessageCodec Request(string method) => _requests[method];

    public override MessageCodec Response(string method) => _responses[method];

    public void Unary<TRequest, TResponse>(UnaryMethod<TRequest, TResponse> method)
    {
        var name = method.Descriptor.FullName.Split('/')[1];
        _requests.Add(name, Create<TRequest>(method.Requests.Encode, method.Requests.Decode));
        _responses.Add(name, Create<TResponse>(method.Responses.Encode, method.Responses.Decode));
    }
}
