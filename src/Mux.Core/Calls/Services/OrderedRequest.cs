using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;

namespace Mux.Calls;

/// <summary>
/// A decoded request that waits for its key. It is not reused: the code that ends the call may still know it when it runs. If its caller cancels the call, or
/// its deadline passes, it is answered at once, not executed.
/// </summary>
/// <param name="handler">Runs the request.</param>
/// <param name="call">A call that is in no turn.</param>
/// <param name="request">The decoded request.</param>
/// <param name="bytes">Its length on the wire, by which the queue of the workers is bounded.</param>
/// <param name="key">See <see cref="KeyTable"/>.</param>
internal sealed class OrderedRequest<TRequest, TResponse>(
    OrderedHandler<TRequest, TResponse> handler, InboundCall call, TRequest request, int bytes, ulong key)
    : OrderedCall(key), IWork, IInboundCancellation, IDeferredRequest
{
    string IWork.Name => handler.Descriptor.FullName;

    IWorkOwner IWork.Owner => call.Session.WorkOwner;

    IWorkClock? IWork.Clock => call.WorkClock;

    /// <summary>The call, with its key.</summary>
    private InboundCall Call => call with { KeyPlace = Place };

    long IDeferredRequest.Due => call.Due;

    int IDeferredRequest.Length => bytes;

    public bool IsAbandoned(long now) => call.IsAbandonedAt(now);

    public override bool TryStart() => handler.TryQueue(call, this, bytes);

    public override void Run()
    {
        if (call.Replies.Room.TryDefer(this)) return; // it keeps its key: those behind it would overtake it
        if (!handler.TryFailAbandoned(Call)) handler.Run(Call, request);
    }

    protected override void Refuse(KeyEntry reason) => handler.Refuse(call, reason);

    void IThreadPoolWorkItem.Execute() => KeyRun.Of(this);

    void IWork.Refuse() => handler.Refuse(Call);

    void IDeferredRequest.Resume()
    {
        if (!TryStart()) handler.LeaveKey(Call);
    }

    void IDeferredRequest.Refuse(string text, uint retryAfterMilliseconds, bool isPause)
    {
        call.FailOverloaded(text, retryAfterMilliseconds, isPause);
        handler.LeaveKey(Call);
    }

    void IInboundCancellation.Cancel(Session session, CallId id, CancelReason reason) => GiveUp(session, id);

    void IInboundCancellation.Expire(Session session, CallId id) => GiveUp(session, id);

    /// <summary>Under the lock of the connection, maybe: the call is answered elsewhere.</summary>
    private void GiveUp(Session session, CallId id)
    {
        if (session == call.Session && id == call.Id && TryEnd()) session.Options.Work.Add(new Ending(this));
    }

    private void End()
    {
        handler.Keys.Withdraw(this);
        if (!call.TryFailAbandoned()) call.Fail(call.AbandonedStatus, MuxExecution.NotExecuted, "The call ended before its handler started.");
    }

    private sealed class Ending(OrderedRequest<TRequest, TResponse> request) : IThreadPoolWorkItem
    {
        public void Execute() => request.End();
    }
}
