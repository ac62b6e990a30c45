using Mux.Engine;
using Mux.Runtime;

namespace Mux.Calls;

/// <summary>A decoded request on its way to another thread. Reused.</summary>
internal sealed class QueuedRequest<TRequest, TResponse> : IWork, IDeferredRequest
{
    private UnaryHandler<TRequest, TResponse>? _handler;
    private InboundCall _call;
    private TRequest _request = default!;
    private Workers? _workers; // null for the thread pool
    private int _bytes;

    private QueuedRequest()
    {
    }

    string IWork.Name => _handler!.Descriptor.FullName;

    IWorkOwner IWork.Owner => _call.Session.WorkOwner;

    IWorkClock? IWork.Clock => _call.WorkClock;

    long IDeferredRequest.Due => _call.Due;

    int IDeferredRequest.Length => _bytes;

    /// <summary>Queues a request.</summary>
    /// <param name="handler">Runs the request.</param>
    /// <param name="call">A call that is in no turn.</param>
    /// <param name="request">The decoded request.</param>
    /// <param name="bytes">Its length on the wire, by which the queue is bounded.</param>
    /// <param name="workers">The workers that run it; null for the .NET thread pool.</param>
    /// <returns>False if the workers have too much to do; then nothing is kept.</returns>
    public static bool TryQueue(
        UnaryHandler<TRequest, TResponse> handler, in InboundCall call, TRequest request, int bytes, Workers? workers)
    {
        var item = handler.QueuedRequests.TryRent() ?? new();
        item._handler = handler;
        item._call = call;
        item._request = request;
        item._workers = workers;
        item._bytes = bytes;
        if (workers is null)
        {
            EnginePool.Queue(item);
            return true;
        }

        if (workers.TryAdd(item, bytes)) return true;
        item.Release();
        return false;
    }

    public bool IsAbandoned(long now) => _call.IsAbandonedAt(now);

    void IDeferredRequest.Resume()
    {
        if (_workers is not { } workers) EnginePool.Queue(this);
        else if (!workers.TryAdd(this, _bytes)) ((IWork)this).Refuse();
    }

    void IDeferredRequest.Refuse(string text, uint retryAfterMilliseconds, bool isPause)
    {
        var (handler, call) = (_handler!, _call);
        Release();
        call.FailOverloaded(text, retryAfterMilliseconds, isPause);
        handler.LeaveKey(call);
    }

    void IThreadPoolWorkItem.Execute()
    {
        if (_call.Replies.Room.TryDefer(this)) return;
        var (handler, call, request) = (_handler!, _call, _request);
        Release();
        if (!handler.TryFailAbandoned(call)) handler.Run(call, request);
    }

    void IWork.Refuse()
    {
        var (handler, call) = (_handler!, _call);
        Release();
        handler.Refuse(call);
    }

    private void Release()
    {
        var pool = _handler!.QueuedRequests;
        (_handler, _call, _request) = (null, default, default!);
        pool.Return(this);
    }
}
