using Mux.Calls;
using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;

namespace Mux.Server;

/// <summary>
/// A call of a client with one reply or none, on its way to the service behind the gateway and back. Its request is copied once, from the received frame into
/// the block that is sent, and so is its reply. Reused, unless the client has cancelled it.
/// </summary>
/// <remarks>State word as in <see cref="InboundCancellation"/>: use &lt;&lt; 2 | state. A cancel that comes too late fails its compare-and-swap.</remarks>
internal sealed class ForwardedCall : OutgoingCall, IInboundCancellation, IThreadPoolWorkItem
{
    private const ulong StateMask = 3, Idle = 0, Active = 1, Cancelled = 2;
    private const int StateBits = 2;
    private const long Unmeasured = -1; // no time of its start, but something to release at its outcome

    // The client's call, part by part: a copy of the whole waits for the stores that made it, and takes more of the cache. See Client.
    private ForwardedMethod _method = null!; // null while idle
    private ReplyPort _replies = null!; // null while idle; with the id, what a cancel is compared with
    private InboundExtras? _extras;
    private RouteShare? _share; // of the client's connection; has a place of this call until its outcome
    private MuxMetadata? _metadata; // of the reply
    private long _due;
    private long _arrived;
    private long _measuredFrom;
    private ulong _word;
    private CallId _id;
    private ushort _ordinal;
    private CancelReason _reason;
    private bool _isOneWay;
    private bool _isForwarded; // by the client

    public override CancelReason CancelReason => _reason;

    /// <summary>True: it costs nothing until metadata comes.</summary>
    public override bool WantsMetadata => true;

    /// <summary>The client's call, as one that is in no turn, and with the metadata of the reply.</summary>
    private InboundCall Client
    {
        get
        {
            var client = new InboundCall(_replies, _method, _id, _isOneWay, _due, InTurn: false, _arrived, _extras, _ordinal, _isForwarded);
            return _metadata is null ? client : client.WithOptions(new MuxCallOptions { ResponseMetadata = _metadata });
        }
    }

    private ForwardedCall()
    {
    }

    /// <summary>Rents an object for a request that is about to be forwarded.</summary>
    public static ForwardedCall Rent() => ObjectPool<ForwardedCall>.Shared.TryRent() ?? new ForwardedCall();

    /// <summary>Forwards a request.</summary>
    /// <param name="method">The method.</param>
    /// <param name="client">The client's call.</param>
    /// <param name="arrived">Time of its arrival, if durations are measured; otherwise 0.</param>
    /// <param name="share">The share of the client's connection, with a place for the call.</param>
    /// <param name="marks">What the service is told of the caller; null for nothing.</param>
    /// <param name="body">The request.</param>
    public void Start(ForwardedMethod method, in InboundCall client, long arrived, RouteShare share, UserMarks? marks, ReadOnlySpan<byte> body)
    {
        var route = method.Route.Calls;
        (_method, _replies, _extras, _share) = (method, client.Replies, client.Extras, share);
        (_due, _arrived, _id, _ordinal, _isOneWay, _isForwarded) = (client.Due, arrived, client.Id, client.Ordinal, client.IsOneWay, client.IsForwarded);
        ref readonly var called = ref method.Called(inOrder: client.Extras is { IsOrdered: true });
        if (Method != method.Descriptor || Called.IsOrdered != called.IsOrdered) SetMethod(called);
        Extras = client.Extras is null && marks is null ? null : ForwardedMarks.ExtrasOf(client, marks);
        var keeps = method.Prepare(this, client);
        _measuredFrom = route.Durations.Start();
        Volatile.Write(ref _word, ((_word >> StateBits) + 1) << StateBits | Active);
        if (!client.IsOneWay) client.Replies.Tokens.AttachWithoutDeadline(client.Id, this); // the client of a one-way call may leave
        if (keeps != KeepFor.Nothing && _measuredFrom == 0) _measuredFrom = Unmeasured;
        ForwardedBody.Start(route, this, keeps, body);
        if (client.IsOneWay) return;
        client.Replies.Tokens.CancelIfAbandoned(client.Id, this); // it may be another call by now, which has another id
        if (CancelRequested) CallHolder.Cancel(this); // or another one that is being cancelled anyway; behind the barrier of the line before
    }

    public override void OnMetadata(ReadOnlySpan<byte> block) => _metadata = MetadataBlock.Decode(block);

    public override void OnResponse(ReadOnlySpan<byte> body, CallTally tally)
    {
        tally.Add(CallTally.RowOf(Called.Index), MuxStatus.Ok);
        Answer(body, inTurn: true);
    }

    /// <summary>Nothing: one-way calls have an outcome here, too.</summary>
    public override void OnAppended()
    {
    }

    public override void OnFailed(CallFailure failure, bool inTurn)
    {
        var route = _method.Route.Calls;
        EndTimer(replied: failure.Execution == MuxExecution.Executed);
        route.OnAttemptFailed(this, failure);
        if (IsKept)
        {
            if (route.TryRepeat(this, failure)) return; // it may be another call by now
            failure = OutgoingFailure.OverAttempts(route, this, failure, isForwarded: true);
        }

        route.CountFailed(failure);
        TellObservers(failure.Status, inTurn);
        _share!.Release(hasRequestStream: false); // before the answer, after which the client may make the next call
        var (method, client) = (_method, Client);
        var status = method.Failures.Fail(client, this, failure);
        Recycle();
        method.Record(client, status);
    }

    public override void BeginAgain(long now, bool wasSent)
    {
        base.BeginAgain(now, wasSent);
        _metadata = null;
    }

    /// <inheritdoc/>
    public override void ReleaseAtOutcome()
    {
        if (_measuredFrom == 0) _measuredFrom = Unmeasured;
    }

    /// <inheritdoc/>
    public void Cancel(Session session, CallId id, CancelReason reason)
    {
        ulong word = Volatile.Read(ref _word);
        if ((word & StateMask) != Active || _id != id || _replies?.Session != session) return;
        if (Interlocked.CompareExchange(ref _word, word & ~StateMask | Cancelled, word) != word) return;
        _reason = reason;
        session.Options.Work.AddUserCode(this); // the connection's lock may be held, under which no other one is taken
    }

    /// <summary>Nothing: the forwarded call has the same deadline.</summary>
    public void Expire(Session session, CallId id)
    {
    }

    void IThreadPoolWorkItem.Execute() => CallHolder.Cancel(this);

    private void Answer(ReadOnlySpan<byte> body, bool inTurn)
    {
        _share!.Release(hasRequestStream: false);
        bool isShort = _metadata is null && body.Length <= ProtocolConstants.MaxWholeBody;
        var status = isShort && _replies.TryReplyWhole(_id, _method.TallyRow, _isOneWay ? [] : body) ? MuxStatus.Ok : ForwardedBody.Reply(Client, body);
        if ((_arrived | _measuredFrom) == 0) Recycle();
        else Record(status, inTurn);
    }

    /// <summary>Tells all listeners of a reply, after the last use of its body.</summary>
    private void Record(MuxStatus status, bool inTurn)
    {
        var (method, client) = (_method, Client);
        TellObservers(MuxStatus.Ok, inTurn);
        Recycle();
        method.Record(client, status);
    }

    /// <summary>
    /// Tells listeners of the outcome. It may lose the turn, and with it the bytes of the frame that ended the call: the memory is then received into again.
    /// </summary>
    private void TellObservers(MuxStatus status, bool inTurn)
    {
        if (_measuredFrom == 0) return;
        EndTimer(replied: true);
        ReleaseKept();
        CallObservers.Tell(_method.Route.Calls, this, Math.Max(0, _measuredFrom), status, inTurn);
    }

    private void Recycle()
    {
        ulong active = _word & ~StateMask | Active;
        if (Interlocked.CompareExchange(ref _word, active & ~StateMask | Idle, active) != active) return; // a cancel is on its way to this object
        (_method, _replies, _extras, _share, _metadata) = (null!, null!, null, null, null);
        Forget();
        ObjectPool<ForwardedCall>.Shared.Return(this);
    }
}

/// <summary>
/// A request of an ordered method that waits until those before it are forwarded: one that comes in parts, or was parked, comes here later than it came to the
/// connection. It has its key only while it is handed to the connection of the key: from there on the channel keeps the order.
/// </summary>
internal sealed class ForwardedTurn : OrderedCall
{
    /// <summary>All ordered requests of a connection: it is waited for those alone that have not arrived.</summary>
    private const ulong Scope = 0x9E37_79B9_7F4A_7C15;

    private readonly IForwarder _method;
    private readonly KeyTable _keys;
    private readonly InboundCall _call;
    private readonly byte[] _body; // rented
    private readonly int _length;

    private ForwardedTurn(IForwarder method, KeyTable keys, in InboundCall call, ReadOnlySpan<byte> body, ulong key)
        : base(key)
    {
        (_method, _keys, _call, _length) = (method, keys, call with { InTurn = false }, body.Length);
        _body = BufferPool.Rent(Math.Max(1, body.Length));
        body.CopyTo(_body);
    }

    /// <summary>Names what a call keeps its order with; 0 if it has none.</summary>
    public static ulong ScopeOf(in InboundCall call) => call.Extras is { IsOrdered: true } ? Scope : 0;

    /// <summary>Forwards a request when those before it are forwarded.</summary>
    /// <param name="method">The method.</param>
    /// <param name="order">What the connection knows of the order of its requests.</param>
    /// <param name="keys">The keys of calls that run one after the other.</param>
    /// <param name="call">The call, which has a key.</param>
    /// <param name="body">The request.</param>
    public static void Take(IForwarder method, ConnectionOrder order, KeyTable keys, in InboundCall call, ReadOnlySpan<byte> body)
    {
        ulong key = call.Extras!.Key ^ Scope; // handlers of this server have keys, too
        if (order.Awaits(Scope))
        {
            order.Add(Scope, call.Id, new ForwardedTurn(method, keys, call, body, key), keys);
            return;
        }

        if (keys.TryEnter(key, out int place) == KeyEntry.Runs)
        {
            try
            {
                method.Forward(call, body); // asks the identity of the caller, which is code of users
            }
            finally
            {
                keys.Leave(place);
            }

            return;
        }

        var turn = new ForwardedTurn(method, keys, call, body, key);
        turn.Continue(keys.Enter(turn));
    }

    /// <summary>Runs it here: to forward is to append.</summary>
    /// <returns>False: it is done with its key.</returns>
    public override bool TryStart()
    {
        Run();
        return false;
    }

    public override void Run()
    {
        try
        {
            _method.Forward(_call, _body.AsSpan(0, _length));
        }
        finally
        {
            BufferPool.Return(_body);
        }
    }

    protected override void Refuse(KeyEntry reason)
    {
        BufferPool.Return(_body);
        _call.FailOverloaded(_keys.Describe(reason), Acceptor.RetryAfterLack);
    }
}

/// <summary>Forwards the requests of a method. Safe for concurrent use.</summary>
internal interface IForwarder
{
    /// <summary>Forwards a request whose turn it is. Throws what the identity of its caller throws, which is code of users.</summary>
    /// <param name="call">The call.</param>
    /// <param name="body">The request, valid only during this method.</param>
    void Forward(in InboundCall call, ReadOnlySpan<byte> body);
}
