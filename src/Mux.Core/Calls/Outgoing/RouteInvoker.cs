using Mux.Contracts;

namespace Mux.Calls;

/// <summary>Binds the methods of proxies to a route.</summary>
/// <param name="route">Carries the calls.</param>
/// <param name="owner">
/// The channel of the route, which its proxies keep from the garbage collector: one that they can use is not dropped.
/// The route cannot keep it, because the connections keep the route. Null if its drop is not reported.
/// </param>
internal sealed class RouteInvoker(CallRoute route, object? owner = null) : CallInvoker
{
    public override MethodCaller<TRequest, TResponse> Bind<TRequest, TResponse>(UnaryMethod<TRequest, TResponse> method)
    {
        method.Prepare();
        route.Register(method.Descriptor);
        bool isOneWay = (method.Descriptor.Shape & MethodShape.OneWay) != 0;
        bool hedges = !isOneWay && route.PolicyOf(method.Descriptor) is { Hedges: true };
        if (hedges) return new HedgedCaller<TRequest, TResponse>(method, route, owner);
        return new UnaryCaller<TRequest, TResponse>(method, route, owner);
    }

    public override StreamCaller<TRequest, TItem, TResponse> BindStream<TRequest, TItem, TResponse>(StreamMethod<TRequest, TItem, TResponse> method)
    {
        method.Prepare();
        route.Register(method.Descriptor);
        return new StreamStarter<TRequest, TItem, TResponse>(method, route, owner);
    }
}
