using Mux.Contracts;

namespace Mux.Calls;

/// <summary>Binds the methods of proxies to a route.</summary>
internal sealed class RouteInvoker(CallRoute route) : CallInvoker
{
    public override MethodCaller<TRequest, TResponse> Bind<TRequest, TResponse>(UnaryMethod<TRequest, TResponse> method)
    {
        method.Prepare();
        route.Register(method.Descriptor);
        bool isOneWay = (method.Descriptor.Shape & MethodShape.OneWay) != 0;
        if (!isOneWay && route.PolicyOf(method.Descriptor) is { Hedges: true }) return new HedgedCaller<TRequest, TResponse>(method, route);
        return new UnaryCaller<TRequest, TResponse>(method, route);
    }

    public override StreamCaller<TRequest, TItem, TResponse> BindStream<TRequest, TItem, TResponse>(StreamMethod<TRequest, TItem, TResponse> method)
    {
        method.Prepare();
        route.Register(method.Descriptor);
        return new StreamStarter<TRequest, TItem, TResponse>(method, route);
    }
}
