using System.Diagnostics;
using Mux.Contracts;
using Mux.Sessions.Calls;
using Mux.Timing;
using Mux.Wire;

namespace Mux.Endpoints;

/// <summary>
/// Calls of a channel that has learned of no endpoint yet. They wait for the first set, until their deadlines. Bounded by the bytes that calls may wait with on
/// one connection. Safe for concurrent use.
/// </summary>
/// <param name="router">The router of the calls.</param>
/// <param name="byteLimit">Most bytes that wait.</param>
internal sealed class UnroutedCalls(EndpointRouter router, long byteLimit) : CallHolder, ITicked
{
    /// <summary>Calls that one search for expired ones looks at while the lock is held, as on a connection.</summary>
    private const int LooksForExpired = 512;

    private readonly Lock _gate = new();
    private readonly CallQueue _calls = new(byteLimit);
    private readonly Ticker _ticker = Ticker.For(router.Clock);
    private long _nextDue = Clock.Never;
    private bool _isClosed; // under the lock: the first set has come, or none will

    /// <inheritdoc/>
    public long NextDue => Volatile.Read(ref _nextDue);

    /// <inheritdoc/>
    public override string PeerPlace => router.SourceName;

    /// <inheritdoc/>
    public override string PeerAddress => string.Empty;

    /// <summary>Number of calls that wait.</summary>
    public int Count
    {
        get
        {
            lock (_gate) return _calls.Count;
        }
    }

    /// <summary>Lets a call wait, or fails it if too many do.</summary>
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
                if (_calls.Count == 1) _ticker.Add(this);
                Volatile.Write(ref _nextDue, _calls.NextDue);
            }
            else
            {
                failure = new(MuxStatus.ResourceExhausted, MuxExecution.NotExecuted, MuxCallPhase.Queue,
                    $"{_calls.Count} calls wait for the endpoints of {router.SourceName} with {_calls.Bytes} bytes; MaxQueuedBytes allows " +
                    $"{_calls.ByteLimit}. Make fewer calls concurrently, or raise MaxQueuedBytes of the channel.");
            }
        }

        if (failure is not null) router.FailOutside(call, failure);
        else _ticker.Request(call.Due);
        return true;
    }

    /// <summary>Takes out all calls, in order, linked by <see cref="OutgoingCall.Next"/>. No call waits here from now on.</summary>
    public OutgoingCall? Close()
    {
        lock (_gate)
        {
            _isClosed = true;
            return TakeAllLocked();
        }
    }

    /// <summary>Takes out the calls that wait now; later ones may wait again.</summary>
    public OutgoingCall? TakeAll()
    {
        lock (_gate) return TakeAllLocked();
    }

    /// <inheritdoc/>
    public override bool TryCancel(OutgoingCall call)
    {
        lock (_gate)
        {
            if (call.Holder != this) return false;
            if (call.Place != CallPlace.Waiting) return true; // decided already
            _calls.Remove(call);
            LeaveIfEmptyLocked();
        }

        const string Text = "The caller cancelled the call.";
        router.FailOutside(call, new(MuxStatus.Cancelled, MuxExecution.NotExecuted, MuxCallPhase.Connect, Text, IsCallerCancel: true));
        return true;
    }

    /// <inheritdoc/>
    public void OnTick(long now)
    {
        OutgoingCall? expired;
        lock (_gate)
        {
            expired = _calls.RemoveExpired(now, LooksForExpired);
            Volatile.Write(ref _nextDue, _calls.NextDue);
            LeaveIfEmptyLocked();
        }

        if (expired is null) return;
        if (Ticker.MayNotBlock) Execution.WorkQueue.OfProcess.Add(new Expiry(router, expired));
        else FailAll(router, expired, router.UnknownEndpoints(isExpired: true));
    }

    /// <inheritdoc/>
    public override void LetGo(OutgoingCall call)
    {
        lock (_gate) call.Holder = null;
    }

    /// <inheritdoc/>
    public override bool TryGiveUp(CallId id, CallFailure failure) => false;

    /// <inheritdoc/>
    public override uint PeersReplyFingerprintOf(MethodDescriptor method) => 0;

    /// <inheritdoc/>
    public override void OnUserCodeFailed(Exception error) => router.OnUserCodeFailed(error);

    /// <summary>Fails the calls of a list.</summary>
    public static void FailAll(EndpointRouter router, OutgoingCall? calls, CallFailure failure)
    {
        while (calls is { } call)
        {
            calls = call.Next;
            call.Next = null;
            router.FailOutside(call, failure);
        }
    }

    private OutgoingCall? TakeAllLocked()
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        var first = _calls.RemoveAll();
        long now = router.Clock.Now;
        for (var call = first; call is not null; call = call.Next)
        {
            call.Holder = null;
            call.StartedAt = now; // the connection computes the rest of the deadline from it
        }

        LeaveIfEmptyLocked();
        return first;
    }

    private void LeaveIfEmptyLocked()
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        if (_calls.Count > 0) return;
        Volatile.Write(ref _nextDue, Clock.Never);
        _ticker.Remove(this); // the ticker must not keep a channel that is not disposed
    }

    /// <summary>Fails expired calls on a thread that may block: their callers' code may follow.</summary>
    private sealed class Expiry(EndpointRouter router, OutgoingCall expired) : IThreadPoolWorkItem
    {
        public void Execute() => FailAll(router, expired, router.UnknownEndpoints(isExpired: true));
    }
}
