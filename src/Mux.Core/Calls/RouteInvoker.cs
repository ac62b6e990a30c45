using Mux.Contracts;

namespace Mux.Calls;

/// <summary>Binds the methods of proxies to a route.</summary>
internal sealed class RouteInvoker(CallRoute route) : CallInvoker
{
    public override MethodCaller<TRequest, TResponse> Bind<TService, TRequest, TResponse, TMethod>()
    {
        TMethod.Prepare();
        route.Register(TMethod.Descriptor);
        return new UnaryCaller<TRequest, TResponse, TMethod>(route);
    }

    public override StreamCaller<TRequest, TItem, TResponse> BindStream<TService, TRequest, TItem, TResponse, TMethod>()
    {
        TMethod.Prepare();
        route.Register(TMethod.Descriptor);
        return new StreamStarter<TRequest, TItem, TResponse, TMethod>(route);
    }
}
