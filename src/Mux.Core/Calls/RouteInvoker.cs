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

    public override RequestStreamCaller<TRequest, TItem, TResponse> BindRequestStream<TService, TRequest, TItem, TResponse, TMethod>()
    {
        TMethod.Prepare();
        route.Register(TMethod.Descriptor);
        return new RequestStreamStarter<TRequest, TItem, TResponse, TMethod>(route);
    }

    public override ResponseStreamCaller<TRequest, TItem, TResponse> BindResponseStream<TService, TRequest, TItem, TResponse, TMethod>()
    {
        TMethod.Prepare();
        route.Register(TMethod.Descriptor);
        return new ResponseStreamStarter<TRequest, TItem, TResponse, TMethod>(route);
    }
}
