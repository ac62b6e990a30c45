using Mux.Contracts;

namespace Mux.Generators.Tests.Calls;

/// <summary>Keeps what a contract says about its methods.</summary>
internal sealed class MethodCollector : IMethodVisitor
{
    /// <summary>By full name, in the order of the description.</summary>
    public Dictionary<string, MethodDescriptor> Methods { get; } = [];

    /// <summary>By full name, what the empty bytes are as the detail of a number.</summary>
    public Dictionary<string, Func<int, object?>> Details { get; } = [];

    /// <summary>By full name, the types that travel.</summary>
    public Dictionary<string, Type[]> Payloads { get; } = [];

    public void Unary<TRequest, TResponse>(UnaryMethod<TRequest, TResponse> method) => Add(method, typeof(TRequest), typeof(TResponse));

    public void Stream<TRequest, TItem, TResponse>(StreamMethod<TRequest, TItem, TResponse> method) => Add(method, typeof(TRequest), typeof(TItem), typeof(TResponse));

    private void Add(ContractMethod method, params Type[] payloads)
    {
        var name = method.Descriptor.FullName;
        Methods.Add(name, method.Descriptor);
        Details.Add(name, number => method.Details?.Decode(number, []));
        Payloads.Add(name, payloads);
    }
}
