using System.Diagnostics;
using Mux.Calls;
using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;

namespace Mux.Client;

/// <summary>
/// Calls that wait, in order and until their deadlines, while no connection can have them. Bounded by the bytes that calls of a channel may wait with on one
/// connection. Safe for concurrent use.
/// </summary>
/// <param name="route">The route of the calls.</param>
/// <param name="byteLimit">Most bytes that wait.</param>
internal abstract class WaitingCalls(DialingRoute route, long byteLimit) : CallHolder, ITicked
{
    /// <summary>Calls that one search for expired ones looks at while the lock is held, as on a connection.</summary>
    private const int LooksForExpired = 512;

    private readonly Lock _gate = new();
    private readonly CallQueue _calls = new(byteLimit);
    private readonly Ticker _ticker = Ticker.For(route.Clock);
    private long _nextDue = Clock.Never;
    private int _count;
    private bool _isClosed; // under the lock

    /// <inheritdoc/>
    public long NextDue => Count == 0 ? Clock.Never : Math.Min(Volatile.Read(ref _nextDue), OverAt);

    /// <inheritdoc/>
    public override string PeerPlace => route.EndpointOf(null);

    /// <inheritdoc/>
    public override string PeerAddress => string.Empty;

    /// <summary>Number of calls that wait. Any thread.</summary>
    public int Count => Volatile.Read(ref _count);

    /// <summary>The phase in which calls that wait here fail.</summary>
    protected abstract MuxCallPhase Phase { get; }

    /// <summary>The failure of calls whose deadlines have passed.</summary>
    protected abstract CallFailure Expired { get; }

    /// <summary>Time at which no call waits any longer, whatever its deadline. Any thread.</summary>
    protected virtual long OverAt => Clock.Never;

    /// <summary>Lets a call wait after those that wait, or fails it if too many do.</summary>
    /// <returns>False if no call waits here anymore: the call is untouched.</returns>
    public bool TryAdd(OutgoingCall call, ReadOnlySpan<byte> body)
    {
        CallFailure? failure = null;
        lock (_gate)
        {
            if (_isClosed) return false;
            if (_calls.HasRoomFor(call.LengthOf(body.Length)))
            {
                call.Holder = this;
                _calls.Enqueue(call, body);
                OnChangedLocked();
                if (_calls.Count == 1) _ticker.Add(this);
            }
            else
            {
                failure = new(MuxStatus.ResourceExhausted, MuxExecution.NotExecuted, MuxCallPhase.Queue,
                    DescribeFull(_calls.Count, _calls.Bytes, _calls.ByteLimit));
            }
        }

        if (failure is not null) route.FailOutside(call, failure);
        else _ticker.Request(NextDue);
        return true;
    }

    /// <summary>Takes out the call that has waited longest; null if none waits.</summary>
    public OutgoingCall? TakeFirst()
    {
        lock (_gate) return TakenLocked(_calls.RemoveFirst(1));
    }

    /// <summary>Takes out all calls, in order, linked by <see cref="OutgoingCall.Next"/>.</summary>
    public OutgoingCall? TakeAll()
    {
        lock (_gate) return TakenLocked(_calls.RemoveAll());
    }

    /// <summary>Takes out a call that keeps an order.</summary>
    /// <param name="call">The call.</param>
    /// <param name="ticket">Its ticket.</param>
    /// <param name="sequence">Its place.</param>
    /// <returns>False if it does not wait here: it has left, and its object may be that of another call.</returns>
    public bool TryTake(OutgoingCall call, int ticket, long sequence)
    {
        lock (_gate)
        {
            if (call.Holder != this || call.Place != CallPlace.Waiting || (call.TimerTicket, call.Sequence) != (ticket, sequence)) return false;
            _calls.Remove(call);
            TakenLocked(call);
            return true;
        }
    }

    /// <summary>Lets no further call wait.</summary>
    public void Close()
    {
        lock (_gate)
        {
            _isClosed = true;
            OnChangedLocked();
        }
    }

    /// <inheritdoc/>
    public override bool TryCancel(OutgoingCall call)
    {
        lock (_gate)
        {
            if (call.Holder != this) return false;
            if (call.Place != CallPlace.Waiting) return true; // decided already
            _calls.Remove(call);
            OnChangedLocked();
        }

        route.FailOutside(call, new(MuxStatus.Cancelled, MuxExecution.NotExecuted, Phase, "The caller cancelled the call.", IsCallerCancel: true));
        return true;
    }

    /// <inheritdoc/>
    public void OnTick(long now)
    {
        OutgoingCall? expired;
        lock (_gate)
        {
            expired = _calls.RemoveExpired(now, LooksForExpired);
            OnChangedLocked();
        }

        FailList(expired, Expired);
        if (OverAt <= now) OnTimeOver();
    }

    /// <inheritdoc/>
    public override void LetGo(OutgoingCall call)
    {
        lock (_gate)
        {
            if (call.Holder == this) call.Holder = null;
        }
    }

    /// <inheritdoc/>
    public override bool TryGiveUp(CallId id, CallFailure failure) => false; // it has no frames

    /// <inheritdoc/>
    public override uint PeersReplyFingerprintOf(MethodDescriptor method) => 0;

    /// <inheritdoc/>
    public override void OnUserCodeFailed(Exception error) => route.OnUserCodeFailed(error);

    /// <summary>Describes why one more call may not wait.</summary>
    protected abstract string DescribeFull(int calls, long bytes, long byteLimit);

    /// <summary>No call waits here, and none will. Under the lock.</summary>
    protected virtual void OnOver()
    {
    }

    /// <summary>Calls wait at <see cref="OverAt"/>. Without the lock.</summary>
    protected virtual void OnTimeOver()
    {
    }

    /// <summary>Lets a call wait that a connection has given back, with its request in <see cref="OutgoingCall.Body"/> or its bulk message.</summary>
    /// <returns>False if no call waits here anymore: the call is as it was.</returns>
    protected bool TryAddGivenBack(OutgoingCall call)
    {
        call.GiveBack();
        var body = call.Body;
        int length = call.BodyLength;
        call.Body = null; // here it gets another copy
        if (!TryAdd(call, body is null ? [] : body.AsSpan(0, length)))
        {
            call.Body = body;
            return false;
        }

        if (body is not null) BufferPool.Return(body);
        CallRoute.CancelIfRequested(call);
        return true;
    }

    /// <summary><see cref="OverAt"/> has become earlier.</summary>
    protected void RequestTick() => _ticker.Request(NextDue);

    /// <summary>Fails the calls that wait.</summary>
    protected void FailAll(CallFailure failure) => FailList(TakeAll(), failure);

    private void FailList(OutgoingCall? calls, CallFailure failure)
    {
        if (calls is null) return;
        if (Ticker.MayNotBlock) WorkQueue.OfProcess.Add(new UnsentCalls(route, calls, failure));
        else UnsentCalls.FailAll(route, calls, failure);
    }

    private OutgoingCall? TakenLocked(OutgoingCall? first)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        if (first is null) return null;
        long now = route.Clock.Now;
        for (var call = first; call is not null; call = call.Next)
        {
            call.Holder = null;
            call.StartedAt = now; // the connection computes the rest of the deadline from it
        }

        OnChangedLocked();
        return first;
    }

    private void OnChangedLocked()
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        Volatile.Write(ref _count, _calls.Count);
        Volatile.Write(ref _nextDue, _calls.Count == 0 ? Clock.Never : _calls.NextDue);
        if (_calls.Count > 0) return;
        _ticker.Remove(this); // the ticker must not keep a channel that is not disposed
        if (_isClosed) OnOver();
    }
}

/// <summary>
/// Calls that were taken out of the queue, linked by <see cref="OutgoingCall.Next"/>, and fail. On a thread that may block: code of their callers follows.
/// </summary>
/// <param name="route">The route of the calls.</param>
/// <param name="calls">The calls.</param>
/// <param name="failure">Their failure.</param>
internal sealed class UnsentCalls(DialingRoute route, OutgoingCall? calls, CallFailure failure) : IThreadPoolWorkItem
{
    public void Execute() => FailAll(route, calls, failure);

    /// <summary>Fails the calls of a list, in order.</summary>
    public static void FailAll(DialingRoute route, OutgoingCall? calls, CallFailure failure)
    {
        while (calls is { } call)
        {
            calls = call.Next;
            call.Next = null;
            route.FailOutside(call, failure);
        }
    }
}
