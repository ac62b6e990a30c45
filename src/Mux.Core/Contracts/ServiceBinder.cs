using Mux.Connections;
using Mux.Dispatch;

namespace Mux.Contracts;

/// <summary>Makes the handlers of a contract's methods for one source of service instances.</summary>
internal sealed class ServiceBinder<TService>(ServiceSource<TService> services, HandlerEnvironment environment, List<InboundMethod> methods) : IMethodVisitor<TService>
    where TService : class
{
    public void Unary<TRequest, TResponse, TMethod>()
        where TMethod : struct, IUnaryMethod<TService, TRequest, TResponse> =>
        methods.Add(new UnaryHandler<TService, TRequest, TResponse, TMethod>(services, environment));
}
