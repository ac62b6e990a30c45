using Mux.Buffers;
using Mux.Connections;

namespace Mux.Contracts;

/// <summary>A decoded request on its way to the thread pool, for methods with <see cref="MuxDispatch.Pool"/>. Reused.</summary>
internal sealed class PooledRequest<TService, TRequest, TResponse, TMethod> : IThreadPoolWorkItem
    where TService : class
    where TMethod : struct, IUnaryMethod<TService, TRequest, TResponse>
{
    private UnaryHandler<TService, TRequest, TResponse, TMethod>? _handler;
    private InboundCall _call;
    private TRequest _request = default!;

    private PooledRequest()
    {
    }

    public static void Queue(UnaryHandler<TService, TRequest, TResponse, TMethod> handler, in InboundCall call, TRequest request)
    {
        var item = ObjectPool<PooledRequest<TService, TRequest, TResponse, TMethod>>.TryRent() ?? new();
        item._handler = handler;
        item._call = call;
        item._request = request;
        ThreadPool.UnsafeQueueUserWorkItem(item, preferLocal: false);
    }

    void IThreadPoolWorkItem.Execute()
    {
        var (handler, call, request) = (_handler!, _call, _request);
        (_handler, _call, _request) = (null, default, default!);
        ObjectPool<PooledRequest<TService, TRequest, TResponse, TMethod>>.Return(this);
        if (!call.TryFailAbandoned()) handler.Run(call, request);
    }
}
