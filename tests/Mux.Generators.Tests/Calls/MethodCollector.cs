using Mux.Contracts;

namespace Mux.Generators.Tests.Calls;

/// <summary>Keeps what a contract says about its methods.</summary>
internal sealed class MethodCollector<TService> : IMethodVisitor<TService>
    where TService : class
{
    /// <summary>By full name, in the order of the description.</summary>
    public Dictionary<string, MethodDescriptor> Methods { get; } = [];

    /// <summary>By full name, what the empty bytes are as the detail of a number.</summary>
    public Dictionary<string, Func<int, object?>> Details { get; } = [];

    /// <summary>By full name, the types that travel.</summary>
    public Dictionary<string, Type[]> Payloads { get; } = [];

    public void Unary<TRequest, TResponse, TMethod>()
        where TMethod : struct, IUnaryMethod<TService, TRequest, TResponse> => Add<TMethod>(typeof(TRequest), typeof(TResponse));

    public void Stream<TRequest, TItem, TResponse, TMethod>()
        where TMethod : struct, IStreamMethod<TService, TRequest, TItem, TResponse> => Add<TMethod>(typeof(TRequest), typeof(TItem), typeof(TResponse));

    private void Add<TMethod>(params Type[] payloads)
        where TMethod : struct, IMethod
    {
        var name = TMethod.Descriptor.FullName;
        Assert.Same(TMethod.Descriptor, TMethod.Descriptor);
        Methods.Add(name, TMethod.Descriptor);
        Details.Add(name, static number => TMethod.DecodeDetail(number, []));
        Payloads.Add(name, payloads);
    }
}
