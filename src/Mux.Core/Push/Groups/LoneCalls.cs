using Mux.Calls;
using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;

namespace Mux.Push;

/// <summary>The calls to one member alone, while they wait in its queue with those of its groups. Safe for concurrent use, except where stated.</summary>
/// <param name="take">Takes a call out of the queue.</param>
/// <param name="calls">Carries the calls.</param>
/// <param name="connection">The connection of the member.</param>
/// <param name="room">Is told when the connection has room.</param>
internal sealed class LoneCalls(LoneCalls.Take take, PeerCalls calls, Connection connection, IRoomWatch room) : CallHolder, IBoundCalls
{
    /// <summary>Microseconds that a call without a deadline waits while the member takes none: calls that call each other back and forth end.</summary>
    private const long MostStuck = 5_000_000;

    private static readonly CallFailure s_cancelled = new(MuxStatus.Cancelled, MuxExecution.NotExecuted, MuxCallPhase.Queue,
        "The caller cancelled the call before the peer had room for it.", IsCallerCancel: true);

    private static readonly CallFailure s_expired = new(MuxStatus.DeadlineExceeded, MuxExecution.NotExecuted, MuxCallPhase.Queue,
        "The deadline passed before the peer had room for the call.")
    {
        IsOwnDeadline = true,
    };

    private static readonly CallFailure s_full = Refusal(
        $"The calls that wait for the peer hold as many bytes as may wait for one: {GroupKind.DefaultQueuedBytes}, of which a call takes its request and " +
        $"{CallQueue.CallCharge}. Make fewer at once, or raise MaxCallsPerConnection of the peer.");

    private static readonly CallFailure s_noMemory = Refusal(
        "The peer has no room for the call, and this side no memory to keep it: Limits.MaxHeldBytes, or MaxHeldBytesPerAddress, allows no more. Make fewer " +
        "calls at once, or raise it.");

    private static readonly CallFailure s_stuck = Refusal(
        "The peer has taken none of the calls that wait for it for 5 s: as many are open as its MaxCallsPerConnection allows, or it does not read. A call " +
        "without a timeout waits no longer than that; one with a timeout waits until it is over.");

    private bool _hasNoRoom; // of the thread that runs the queue
    private long _takenAt = long.MinValue / 2; // when the member took a call; guarded by the lock of the queue

    /// <summary>Takes a call out of the queue for its caller, unless it is about to be handed over.</summary>
    /// <returns>False if <see cref="LoneCalls"/> does not hold it.</returns>
    public delegate bool Take(OutgoingCall call, out bool isTaken);

    /// <summary>Names them where groups are named.</summary>
    public static GroupLabel Label { get; } = new("calls to the peer alone", key: null);

    /// <inheritdoc/>
    public override string PeerPlace => connection.PeerPlace;

    /// <inheritdoc/>
    public override string PeerAddress => connection.RemoteAddress;

    /// <summary>
    /// True if the connection decides the last call that was to start, also after an exception: nothing else may. Of the
    /// thread that runs the queue.
    /// </summary>
    public bool IsHandedOver { get; private set; }

    IRoomWatch IBoundCalls.Room => room;

    /// <summary>One has been added. Under the lock of the queue.</summary>
    public void OnAdded(GroupEntry entry, long now)
    {
        entry.Call!.Holder = this;
        if (entry.Due == Clock.Never) entry.Due = now + MostStuck;
    }

    /// <summary>The member has taken a call. Under the lock of the queue.</summary>
    public void OnTaken(long now) => _takenAt = now;

    /// <summary>The time of one is over: it continues if the member has taken calls meanwhile, and no deadline ends it. Under the lock of the queue.</summary>
    public void Renew(GroupEntry entry)
    {
        if (entry.Call!.Due == Clock.Never) entry.Due = Math.Max(entry.Due, _takenAt + MostStuck);
    }

    /// <summary>
    /// Hands over a call, and sets <see cref="IsHandedOver"/>. The caller flushes the connection. Called by the thread
    /// that runs the queue.
    /// </summary>
    public GroupStart Start(OutgoingCall call)
    {
        (IsHandedOver, _hasNoRoom) = (false, false);
        if (call.Due != Clock.Never) call.StartedAt = connection.Clock.Now;
        var (body, length) = (call.Body, call.BodyLength);
        (call.Bound, call.Body) = (this, null);
        bool isStarted;
        try
        {
            var request = body.AsSpan(0, body is null ? 0 : length);
            isStarted = connection.Initiator.TryStart(call, request, default(IStartRule.SentLater));
            IsHandedOver = isStarted && !_hasNoRoom;
        }
        catch (Exception) when (NotesHandOver(call))
        {
            throw; // not reached: the filter only notes
        }
        finally
        {
            if (!IsHandedOver) (call.Body, call.BodyLength) = (body, length);
            else if (body is not null) BufferPool.Return(body);
        }

        if (!isStarted) return GroupStart.Gone;
        if (!IsHandedOver) return GroupStart.NoRoom;
        CallRoute.CancelIfRequested(call);
        return GroupStart.Appended;
    }

    /// <summary>
    /// Notes whether the connection decides the call that it was given when an exception came. As an exception filter,
    /// this runs before the thread leaves the connection's lock. Behind the lock, the call may be over, and its object
    /// reused; under it, nothing but the append itself has touched the call.
    /// </summary>
    private bool NotesHandOver(OutgoingCall call)
    {
        IsHandedOver = !connection.Gate.IsHeldByCurrentThread || call is { Place: CallPlace.Open, IsOneWay: false };
        return false;
    }

    /// <summary>Fails a call that is not in the queue.</summary>
    public void Miss(OutgoingCall call, MuxMissReason reason)
    {
        if (reason == MuxMissReason.Disconnected) calls.OnUnsent(call, failure: null);
        else calls.Fail(call, FailureOf(reason, call));
    }

    /// <inheritdoc/>
    public override bool TryCancel(OutgoingCall call)
    {
        if (!take(call, out bool isTaken)) return false;
        if (isTaken) calls.Fail(call, s_cancelled);
        return true;
    }

    /// <inheritdoc/>
    public override void LetGo(OutgoingCall call)
    {
        // What waits here has had no attempt, and is handed over by the queue alone.
    }

    /// <inheritdoc/>
    public override bool TryGiveUp(CallId id, CallFailure failure) => false;

    /// <inheritdoc/>
    public override uint PeersReplyFingerprintOf(MethodDescriptor method) => 0;

    /// <inheritdoc/>
    public override void OnUserCodeFailed(Exception error) => calls.OnUserCodeFailed(error);

    void IBoundCalls.OnNoRoom(OutgoingCall call, ReadOnlySpan<byte> body) => _hasNoRoom = true;

    void IBoundCalls.OnUnsent(OutgoingCall call, CallFailure? failure) => calls.OnUnsent(call, failure);

    private static CallFailure FailureOf(MuxMissReason reason, OutgoingCall call) => reason switch
    {
        MuxMissReason.NoMemory => s_noMemory,
        MuxMissReason.QueueFull => s_full,
        _ => call.Due == Clock.Never ? s_stuck : s_expired,
    };

    private static CallFailure Refusal(string text) => new(MuxStatus.ResourceExhausted, MuxExecution.NotExecuted, MuxCallPhase.Queue, text);
}
