using System.Diagnostics;
using Mux.Calls;
using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;

namespace Mux.Client;

/// <summary>
/// Holds calls between two attempts. Their number is bounded by the retry budget, or by their requests, which <see cref="KeptBytes"/> bounds. Deadlines need
/// no watch: a call whose pause does not end before its deadline fails at once, or when it is due if it waits for a server. Safe for concurrent use.
/// </summary>
/// <remarks>Lock order: the ticker's lock may be taken inside this queue's. Calls are started and completed outside both.</remarks>
internal sealed class RetryQueue(CallRoute route) : CallHolder, ITicked
{
    private static readonly CallFailure s_cancelled =
        new(MuxStatus.Cancelled, MuxExecution.NotExecuted, MuxCallPhase.Queue, "The caller cancelled the call between two attempts.", IsCallerCancel: true);

    private static readonly CallFailure s_disposed =
        new(MuxStatus.Unavailable, MuxExecution.NotExecuted, MuxCallPhase.Queue, "The channel was disposed between two attempts.");

    private static readonly CallFailure s_expired = new(
        MuxStatus.DeadlineExceeded, MuxExecution.NotExecuted, MuxCallPhase.Queue,
        "The deadline passed before the call was sent again.")
    {
        IsOwnDeadline = true,
    };

    private static readonly CallFailure s_unreached =
        s_expired with { Phase = MuxCallPhase.Connect, Text = "The deadline passed while no server could be reached." };

    private readonly Ticker _ticker = Ticker.For(route.Clock);
    private readonly Lock _gate = new(); // guards the fields below, and the calls in the queue
    private readonly PriorityQueue<Entry, long> _calls = new();
    private int _awaiting; // entries of calls that wait for a server, those that were cancelled included
    private int _count; // without the entries of calls that were cancelled
    private ulong _lastNumber;
    private long _due = Clock.Never;
    private bool _isDisposed;

    /// <inheritdoc/>
    public long NextDue => Volatile.Read(ref _due);

    /// <inheritdoc/>
    public override string PeerPlace => route.EndpointOf(null);

    /// <inheritdoc/>
    public override string PeerAddress => string.Empty;

    /// <summary>Number of calls that are held. Any thread.</summary>
    public int Count => Volatile.Read(ref _count);

    /// <summary>Holds a call until <paramref name="due"/>, and starts it then.</summary>
    /// <param name="call">The call.</param>
    /// <param name="due">Time at which it starts.</param>
    /// <param name="isAwaiting">True if it waits for a server, and starts as soon as one is reached.</param>
    /// <returns>False if the channel is disposed.</returns>
    public bool TryAdd(OutgoingCall call, long due, bool isAwaiting)
    {
        lock (_gate)
        {
            if (_isDisposed) return false;
            call.Holder = this;
            call.Place = CallPlace.Waiting;
            call.OpenWord = ++_lastNumber; // tells the entry of a cancelled call, whose object may be back for another one
            _calls.Enqueue(new Entry(call, _lastNumber, isAwaiting), due);
            if (isAwaiting) _awaiting++;
            _count++;
            UpdateLocked();
        }

        CallRoute.CancelIfRequested(call);
        return true;
    }

    /// <inheritdoc/>
    public override bool TryCancel(OutgoingCall call)
    {
        lock (_gate)
        {
            if (call.Holder != this) return false;
            if (call.Place != CallPlace.Waiting) return true;
            call.Place = CallPlace.Outside;
            call.Holder = null;
            _count--;
        }

        End(call, s_cancelled);
        return true;
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
    public void OnTick(long now)
    {
        var due = TakeDue(now);
        if (due.Count == 0) return;
        // A transport that dials, and listeners of meters, are user code, and may block.
        if (Ticker.MayNotBlock) WorkQueue.OfProcess.Add(new DueCalls(this, due));
        else Start(due);
    }

    /// <summary>Starts the calls that wait for a server: one can be reached.</summary>
    public void StartAwaiting()
    {
        if (Volatile.Read(ref _awaiting) == 0) return;
        List<OutgoingCall> awaiting = [];
        lock (_gate)
        {
            List<(Entry Entry, long Due)> others = [];
            while (_calls.TryDequeue(out var entry, out long due))
            {
                if (!entry.IsAwaiting) others.Add((entry, due));
                else if (TryTakeLocked(entry)) awaiting.Add(entry.Call);
            }

            _calls.EnqueueRange(others);
            _awaiting = 0;
            UpdateLocked();
        }

        Start(awaiting);
    }

    /// <summary>Fails the calls that are held, and accepts no more.</summary>
    public void Dispose()
    {
        List<OutgoingCall> left;
        lock (_gate)
        {
            _isDisposed = true;
            left = TakeLocked(long.MaxValue);
            UpdateLocked();
        }

        foreach (var call in left) End(call, s_disposed);
    }

    /// <inheritdoc/>
    public override bool TryGiveUp(CallId id, CallFailure failure) => false; // it has no frames

    /// <inheritdoc/>
    public override uint PeersReplyFingerprintOf(MethodDescriptor method) => 0;

    /// <inheritdoc/>
    public override void OnUserCodeFailed(Exception error) => route.OnUserCodeFailed(error);

    private List<OutgoingCall> TakeDue(long now)
    {
        lock (_gate)
        {
            var due = TakeLocked(now);
            UpdateLocked();
            return due;
        }
    }

    private List<OutgoingCall> TakeLocked(long upTo)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        List<OutgoingCall> taken = [];
        while (_calls.TryPeek(out var entry, out long due) && due <= upTo)
        {
            _calls.Dequeue();
            if (entry.IsAwaiting) _awaiting--;
            if (TryTakeLocked(entry)) taken.Add(entry.Call);
        }

        return taken;
    }

    /// <returns>False if the call was cancelled: its object may be another call.</returns>
    private bool TryTakeLocked(in Entry entry)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        var call = entry.Call;
        if (call.Holder != this || call.Place != CallPlace.Waiting || call.OpenWord != entry.Number) return false;
        call.Place = CallPlace.Outside;
        call.Holder = null; // a cancel from here on is seen when the call has started
        _count--;
        return true;
    }

    private void UpdateLocked()
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        bool wasEmpty = _due == Clock.Never;
        long due = _calls.TryPeek(out _, out long first) ? first : Clock.Never;
        Volatile.Write(ref _due, due);
        if (due == Clock.Never) _ticker.Remove(this); // the ticker must not keep a channel that is not disposed
        else if (wasEmpty) _ticker.Add(this);
        else _ticker.Request(due);
    }

    private void Start(List<OutgoingCall> calls)
    {
        long now = route.Clock.Now;
        foreach (var call in calls)
        {
            if (call.Due <= now)
            {
                End(call, ExpiredAfter(call.Kept!.Last!));
                continue;
            }

            if (call.Due != Clock.Never) call.StartedAt = now; // the rest of the deadline is computed from it
            route.StartAgainKept(call);
        }
    }

    /// <summary>
    /// Gets the failure of a call whose deadline has passed after an attempt. What refused it is told with it.
    /// </summary>
    private static CallFailure ExpiredAfter(CallFailure last) => OutgoingFailure.AttemptOf(last).IsUnsent
        ? RequestFailures.AfterAttempt(s_unreached, last.Text, last.Phase != MuxCallPhase.Connect)
        : s_expired;

    private void End(OutgoingCall call, CallFailure failure)
    {
        route.Ledger.CountOutcome(call.Method, failure.Status);
        Fail(call, failure);
    }

    private readonly record struct Entry(OutgoingCall Call, ulong Number, bool IsAwaiting);

    private sealed class DueCalls(RetryQueue queue, List<OutgoingCall> calls) : IThreadPoolWorkItem
    {
        public void Execute() => queue.Start(calls);
    }
}
