using Mux.Contracts;
using Mux.Sessions.Incoming;

namespace Mux.Services;

/// <summary>Creates the handlers of a contract's methods for one source of service instances.</summary>
internal sealed class ServiceBinder<TService>(ServiceSource<TService> services, HandlerEnvironment environment, List<InboundMethod> methods)
    : IMethodVisitor<TService>
    where TService : class
{
    public void Unary<TRequest, TResponse, TMethod>()
        where TMethod : struct, IUnaryMethod<TService, TRequest, TResponse> =>
        Add<TMethod>(new UnaryHandler<TService, TRequest, TResponse, TMethod>(services, environment));

    public void Stream<TRequest, TItem, TResponse, TMethod>()
        where TMethod : struct, IStreamMethod<TService, TRequest, TItem, TResponse> =>
        Add<TMethod>(new StreamHandler<TService, TRequest, TItem, TResponse, TMethod>(services, environment));

    private void Add<TMethod>(InboundMethod method)
        where TMethod : struct, IMethod
    {
        TMethod.Prepare();
        methods.Add(method);
    }
}
