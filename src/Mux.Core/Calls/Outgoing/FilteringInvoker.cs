using Mux.Contracts;
using Mux.Filters;

namespace Mux.Calls;

/// <summary>Puts the filters of a channel, or of a server that calls its clients, around the calls of proxies. Methods without filters are those of the invoker
/// inside.</summary>
/// <param name="inner">Makes the calls.</param>
/// <param name="filters">The filters.</param>
/// <param name="settings">What filters see of the channel.</param>
internal sealed class FilteringInvoker(CallInvoker inner, FilterBinding filters, FilterSettings settings) : CallInvoker
{
    public override MethodCaller<TRequest, TResponse> Bind<TRequest, TResponse>(UnaryMethod<TRequest, TResponse> method)
    {
        var caller = inner.Bind(method);
        return filters.Of(method.Descriptor, MuxCallSide.Client) is { } plan ? new FilteredCaller<TRequest, TResponse>(caller, method, plan, settings) : caller;
    }

    public override StreamCaller<TRequest, TItem, TResponse> BindStream<TRequest, TItem, TResponse>(StreamMethod<TRequest, TItem, TResponse> method)
    {
        var caller = inner.BindStream(method);
        return filters.Of(method.Descriptor, MuxCallSide.Client) is { } plan
            ? new FilteredStreamCaller<TRequest, TItem, TResponse>(caller, method, plan, settings)
            : caller;
    }
}
