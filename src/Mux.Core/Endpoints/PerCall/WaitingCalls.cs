using System.Diagnostics;
using Mux.Contracts;
using Mux.Execution;
using Mux.Sessions.Calls;
using Mux.Timing;
using Mux.Wire;

namespace Mux.Endpoints.PerCall;

/// <summary>
/// Calls that wait for a connection of their own, in order, until their deadlines. Bounded by the bytes that calls of a channel may wait with on one
/// connection. Safe for concurrent use.
/// </summary>
/// <param name="route">The route of the calls.</param>
/// <param name="byteLimit">Most bytes that wait.</param>
internal sealed class WaitingCalls(DialingRoute route, long byteLimit) : CallHolder, ITicked
{
    /// <summary>Calls that one search for expired ones looks at while the lock is held, as on a connection.</summary>
    private const int LooksForExpired = 512;

    private readonly Lock _gate = new();
    private readonly CallQueue _calls = new(byteLimit);
    private readonly Ticker _ticker = Ticker.For(route.Clock);
    private long _nextDue = Clock.Never;
    private int _count;
    private readonly TaskCompletionSource _drained = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private bool _isClosed; // under the lock: the channel is disposed

    /// <inheritdoc/>
    public long NextDue => Volatile.Read(ref _nextDue);

    /// <inheritdoc/>
    public override string PeerPlace => route.EndpointOf(null);

    /// <inheritdoc/>
    public override string PeerAddress => string.Empty;

    /// <summary>Number of calls that wait. Any thread.</summary>
    public int Count => Volatile.Read(ref _count);

    /// <summary>True if the channel has as many connections as it may have: only the end of another call gives one to the first that waits.</summary>
    public bool IsAtLimit { get; set; }

    private MuxCallPhase Phase => IsAtLimit ? MuxCallPhase.Queue : MuxCallPhase.Connect;

    /// <summary>Lets a call wait after those that wait, or fails it if too many do.</summary>
    /// <returns>False if the channel is disposed: the call is untouched.</returns>
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
                    $"{_calls.Count} calls wait for a connection with {_calls.Bytes} bytes; MaxQueuedBytes allows {_calls.ByteLimit}. Make fewer calls " +
                    "concurrently, or raise MaxConnections or MaxQueuedBytes of the channel.");
            }
        }

        if (failure is not null) route.FailOutside(call, failure);
        else _ticker.Request(call.Due);
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

    /// <summary>Lets no further call wait.</summary>
    public void Close()
    {
        lock (_gate)
        {
            _isClosed = true;
            OnChangedLocked();
        }
    }

    /// <summary>
    /// Lets no further call wait, and gives those that wait for the end of others some time to get a connection. Those that wait for a dial get none, as on a
    /// channel that shares connections.
    /// </summary>
    /// <param name="time">Microseconds.</param>
    public async Task DrainAsync(long time)
    {
        Close();
        if (!IsAtLimit) return; // the caller takes out what is left
        try
        {
            await _drained.Task.WaitAsync(TimeSpan.FromMicroseconds(time), route.Clock.Provider).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            // The caller takes out what is left.
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

        if (expired is null) return;
        var text = IsAtLimit
            ? "The deadline passed while all connections that MaxConnections of the channel allows had a call."
            : "The deadline passed before the request could be sent.";
        var failure = new CallFailure(MuxStatus.DeadlineExceeded, MuxExecution.NotExecuted, Phase, text) { IsOwnDeadline = true };
        if (Ticker.MayNotBlock) WorkQueue.OfProcess.Add(new UnsentCalls(route, expired, failure));
        else UnsentCalls.FailAll(route, expired, failure);
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
        if (_isClosed) _drained.TrySetResult();
    }
}
