using Mux.Protocol;
using Mux.Runtime;

namespace Mux.Engine;

/// <summary>
/// The token of one running handler. Reused for the next handler if this one has returned, was not cancelled and had no context. Cancelling runs on a worker,
/// never in a turn or under a lock: it calls user code that has registered.
/// </summary>
/// <remarks>
/// State word: use &lt;&lt; 2 | state; Idle -> Active -> {Idle, Cancelled}. The use grows each time and never recurs: a thread that cancels an object which was
/// meanwhile reused fails its compare-and-swap.
/// </remarks>
[System.Diagnostics.CodeAnalysis.SuppressMessage("Design", "CA1001", Justification = "A source without a timer or wait handle holds nothing to dispose, and " +
    "a handler may still hold its token.")]
internal sealed class InboundCancellation : IInboundCancellation, IThreadPoolWorkItem
{
    private const ulong StateMask = 3;
    private const ulong Idle = 0;
    private const ulong Active = 1;
    private const ulong Cancelled = 2;
    private const int StateBits = 2;

    private readonly CancellationTokenSource _source = new();
    private ulong _word;
    private Session? _session;
    private CallId _id;
    private bool _isInContext; // never reset: such an object is not reused
    private MuxCallContextScope _context;

    private InboundCancellation()
    {
    }

    public CancellationToken Token => _source.Token;

    /// <summary>Rents an object for a request that is about to run.</summary>
    public static InboundCancellation Rent(Session session, CallId id)
    {
        var cancellation = ObjectPool<InboundCancellation>.Shared.TryRent() ?? new InboundCancellation();
        cancellation._session = session;
        cancellation._id = id;
        Volatile.Write(ref cancellation._word, ((cancellation._word >> StateBits) + 1) << StateBits | Active);
        return cancellation;
    }

    /// <summary>
    /// Enters the context of the handler, which has this token, until <see cref="Release"/>. The object is then not reused: code that the handler leaves behind
    /// may keep the context, and must not be cancelled by the calls of others.
    /// </summary>
    public MuxCallContextScope Enter(MuxCallContext context)
    {
        _isInContext = true;
        return _context = context.Enter();
    }

    /// <summary>
    /// Takes the object back from a handler that has returned, unless its token may still be in use: it was cancelled or is in a context. Ends the context.
    /// </summary>
    public void Release()
    {
        if (_isInContext) _context.End();
        ulong active = _word & ~StateMask | Active;
        if (Interlocked.CompareExchange(ref _word, active & ~StateMask | Idle, active) != active) return;
        _session = null;
        if (!_isInContext && _source.TryReset()) ObjectPool<InboundCancellation>.Shared.Return(this);
    }

    /// <summary>
    /// Cancels the token of an answered request whose handler may still run, for filters left it behind. Ends the context. The object is not reused: that code
    /// must not see the calls of others end.
    /// </summary>
    public void Abandon()
    {
        if (_isInContext) _context.End();
        ulong active = _word & ~StateMask | Active;
        if (Interlocked.CompareExchange(ref _word, active & ~StateMask | Cancelled, active) == active) _session!.Options.Work.AddUserCode(this);
    }

    /// <summary>Cancels the token, if it still belongs to this request. A handler is not told the reason.</summary>
    public void Cancel(Session session, CallId id, CancelReason reason)
    {
        ulong word = Volatile.Read(ref _word);
        if ((word & StateMask) != Active || _session != session || _id != id) return;
        if (Interlocked.CompareExchange(ref _word, word & ~StateMask | Cancelled, word) != word) return;
        session.Options.Work.AddUserCode(this);
    }

    /// <inheritdoc/>
    public void Expire(Session session, CallId id) => Cancel(session, id, CancelReason.Deadline);

    void IThreadPoolWorkItem.Execute()
    {
        try
        {
            _source.Cancel();
        }
        catch (AggregateException error)
        {
            _session?.OnUserCodeFailed(error);
        }
    }
}

/// <summary>Learns that a running request is abandoned. It may have begun to serve another request by then: each member names the one that is meant.</summary>
internal interface IInboundCancellation
{
    /// <summary>The peer has cancelled the request, its connection is over, or the grace of a drain has ended. Maybe under the connection's lock.</summary>
    void Cancel(Session session, CallId id, CancelReason reason);

    /// <summary>The deadline of the request has passed. Under the connection's lock.</summary>
    void Expire(Session session, CallId id);
}
