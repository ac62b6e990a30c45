using Mux.Protocol;

namespace Mux.Engine;

/// <summary>
/// The half of a connection that accepts the calls of the peer: it runs their requests, parks them, or refuses them. <see cref="ReplyPort"/> answers them.
/// </summary>
internal sealed class Acceptor
{
    /// <summary>
    /// Requests that hold more than this are charged to <see cref="ConnectionOptions.RunningLimit"/>. All smaller ones that may be open together hold at most
    /// 16 MiB.
    /// </summary>
    private const int ChargedFrom = 1024;

    /// <summary>
    /// Retry hint, in milliseconds, for a request that found no memory or no place for its handler: when either becomes free is not known. It is long enough
    /// that 5,000 callers that retry make 50,000 requests a second, a few percent of what a core can refuse.
    /// </summary>
    public const uint RetryAfterLack = 100;

    private readonly Session _session;
    private readonly ReplyPort _replies;
    private readonly RequestSlots _slots;
    private readonly RequestRoom _room;
    private readonly int _maxCalls;
    private int _refusals; // since _refusalsSince: none of their answers has reached the peer; both fields are written under the lock
    private long _refusalsSince;

    public Acceptor(Session session, ReplyPort replies)
    {
        (_session, _replies, _slots, _room) = (session, replies, replies.Slots, replies.Room);
        _maxCalls = session.Options.Local.MaxCalls;
        Parking = new RequestParking(session, this, _room);
    }

    /// <summary>Holds requests until there is room.</summary>
    public RequestParking Parking { get; }

    /// <summary>True if a request that comes now is parked. In the turn.</summary>
    public bool MustWait => !_room.IsFree || _session.ParkedRequests > 0;

    /// <summary>Runs a complete request. In the turn.</summary>
    /// <param name="call">The call.</param>
    /// <param name="body">The request.</param>
    /// <param name="from">The message that has the body, and memory of the server for it; null if it came in one frame.</param>
    public ProtocolViolation? Start(in InboundCall call, ReadOnlySpan<byte> body, PartialMessage? from = null) =>
        MustWait ? Parking.Park(call, body, from) : Run(call, body, from);

    /// <summary>Like <see cref="Start"/>, for a request that need not wait: <see cref="MustWait"/> is false.</summary>
    public ProtocolViolation? Run(in InboundCall call, ReadOnlySpan<byte> body, PartialMessage? from = null)
    {
        if (TryCharge(call, body.Length, from) is { } lack) return RefuseForMemory(call, body.Length, lack);
        if (call.IsExpired) _replies.Fail(call, MuxStatus.DeadlineExceeded, MuxExecution.NotExecuted, "The deadline passed before the request arrived.");
        else call.Method.Invoke(call, body);
        return null;
    }

    /// <summary>Runs a request that came in fragments. One whose decoding would occupy the turn for long runs on another thread. In the turn.</summary>
    /// <param name="call">The call.</param>
    /// <param name="message">The request. This method returns it.</param>
    public ProtocolViolation? StartFragmented(in InboundCall call, PartialMessage message)
    {
        ProtocolViolation? violation = null;
        if (message.Length <= ProtocolConstants.MaxWholeBody || (message.Length <= PartialMessage.LongestInTurn && call.Method.RunsInTurn))
        {
            message.Lend();
            violation = Start(call, message.Body, message); // runs as if it had come in one frame
        }
        else if (MustWait)
        {
            violation = Parking.Park(call, message.Body, message);
        }
        else if (TryCharge(call, message.Length, message) is { } lack)
        {
            violation = RefuseForMemory(call, message.Length, lack);
        }
        else if (call.Method.TryQueue(call, new LargeRequest(call with { InTurn = false }, message), message.Length))
        {
            return null;
        }

        message.Return();
        return violation;
    }

    /// <summary>
    /// Refuses a request of which nothing is kept and whose handler was not started. In the turn. All such refusals go through here, because refusals that the
    /// peer does not read are the only answers it is not charged for. The answer carries the retry hint in milliseconds; 0 means none.
    /// </summary>
    public ProtocolViolation? Refuse(in InboundCall call, MuxStatus status, string text, uint retryAfter = 0) =>
        Refuse(call, new FailFrame((byte)status, MuxExecution.NotExecuted, retryAfter, text));

    /// <summary>Refuses a request for which there is no memory at present: its caller may send it again after a pause. In the turn.</summary>
    public ProtocolViolation? RefuseForNow(in InboundCall call, string text) =>
        Refuse(call, new FailFrame((byte)MuxStatus.ResourceExhausted, MuxExecution.NotExecuted, RetryAfterLack, text) { IsPause = true });

    private ProtocolViolation? Refuse(in InboundCall call, FailFrame frame)
    {
        if (!_room.IsFree)
        {
            lock (_session.Gate) CountRefusalLocked();
        }

        _replies.Fail(call, frame, 0, []);
        return Flood;
    }

    /// <summary>
    /// Gets the violation of a peer that sends requests without reading the refusals of earlier ones; otherwise null. A peer that waits for its answers has at
    /// most as many unread refusals as it may have calls open, so unsent bytes are bounded too.
    /// </summary>
    public ProtocolViolation? Flood => Volatile.Read(ref _refusals) <= _maxCalls
        ? null
        : new(ConnectionCode.ExcessiveLoad, "The peer continues to send requests in slots whose answers it has not read.");

    /// <summary>Drops the unsent rest of a large reply after the peer has cancelled its call. In the turn.</summary>
    public void CutReply(CallId id)
    {
        lock (_session.Gate)
        {
            if (_slots.FindReply(id) is not { IsEmpty: false } reply) return;
            _session.Outbound.BulkLocked.Drop(reply);
            _replies.FailLocked(id, MuxStatus.Cancelled, MuxExecution.Executed, "The caller cancelled the call before its reply was sent.");
        }
    }

    /// <summary>Fails a call before its handler was started.</summary>
    public void FailLocked(in InboundCall call, MuxStatus status, string text)
    {
        _session.AssertLocked();
        if (!_room.IsFree) CountRefusalLocked();
        _replies.FailLocked(call, status, MuxExecution.NotExecuted, text);
    }

    /// <summary>Fails every unanswered request and cancels its token: the grace of a drain has ended.</summary>
    public void FailAllLocked(string text)
    {
        _session.AssertLocked();
        Parking.FailLocked(text);
        for (int slot = 1; slot <= _slots.Highest; slot++)
        {
            if (!_slots.IsOpen(slot, out var id)) continue;
            _replies.Tokens.Cancel(slot);
            var stream = _slots.FindStream(id);
            stream?.Close(drops: true);
            _replies.FailLocked(id, MuxStatus.Unavailable, MuxExecution.MayHaveExecuted, text); // its handler runs, or waits for a thread
            _slots.TryClose(id);
        }
    }

    /// <summary>Cancels every token, and answers parked requests for the counters: the connection is over.</summary>
    public void CloseLocked()
    {
        _session.AssertLocked();
        Interlocked.MemoryBarrier(); // against a turn that opens a request: it sees the connection's state, or this thread sees its token
        Parking.FailLocked("The connection ended.");
        for (int slot = 1; slot <= _slots.Highest; slot++)
        {
            if (_slots.IsOpen(slot, out var id)) _slots.FindStream(id)?.Close(drops: true);
            _replies.Tokens.Cancel(slot);
        }
    }

    /// <summary>Charges a request that is about to run. The charge is returned when it is answered.</summary>
    /// <param name="call">The call.</param>
    /// <param name="length">Length of its body in bytes.</param>
    /// <param name="carried">See <see cref="RequestSlots.TryCharge"/>.</param>
    /// <returns>The limit that prevents it; null if it is charged.</returns>
    public MemoryVerdict? TryCharge(in InboundCall call, int length, ref long carried)
    {
        long held = (long)length + call.HeldBeside;
        return held > ChargedFrom && _slots.TryCharge(call.Id, held, ref carried) is not MemoryVerdict.Granted and var lack ? lack : null;
    }

    /// <summary>Refuses a request for lack of memory. In the turn.</summary>
    public ProtocolViolation? RefuseForMemory(in InboundCall call, string text, MemoryVerdict lack)
    {
        _session.Options.Shared!.OnRefused(lack);
        return RefuseForNow(call, text);
    }

    /// <summary>
    /// Refuses a request for lack of a handler's place. This is no misuse: other peers may hold all there are. In the turn, or on the thread that runs parked
    /// requests.
    /// </summary>
    /// <param name="call">The call.</param>
    /// <param name="text">A message of <see cref="NoPlace"/>.</param>
    /// <param name="isKept">True if its caller may have kept the request, to send it again after a pause: a large one.</param>
    public ProtocolViolation? RefuseForPlace(in InboundCall call, string text, bool isKept) =>
        isKept ? RefuseForNow(call, text) : Refuse(call, MuxStatus.ResourceExhausted, text, RetryAfterLack);

    /// <summary>Messages for callers whose requests have no places.</summary>
    public PlaceLack NoPlace => new(_session);

    private MemoryVerdict? TryCharge(in InboundCall call, int length, PartialMessage? from)
    {
        long carried = from?.Charged ?? 0;
        var lack = TryCharge(call, length, ref carried);
        if (from is not null) from.Charged = carried; // released with the array
        return lack;
    }

    private ProtocolViolation? RefuseForMemory(in InboundCall call, int length, MemoryVerdict lack) =>
        RefuseForMemory(call, _slots.Memory!.Describe("request", length, lack), lack);

    /// <summary>
    /// Counts a short answer that is made at once although the peer has not read earlier ones, like a refusal. In the turn.
    /// </summary>
    /// <returns>False if there are too many: refusing the call gets the violation.</returns>
    public bool TryAnswerUnread()
    {
        lock (_session.Gate) CountRefusalLocked();
        return Flood is null;
    }

    private void CountRefusalLocked()
    {
        _session.AssertLocked();
        if (_session.Outbound.OfferedLocked >= _refusalsSince) (_refusals, _refusalsSince) = (0, _session.Outbound.PositionLocked);
        _refusals++;
    }
}

/// <summary>A large request that came in fragments, on its way to the thread that decodes and runs it.</summary>
internal sealed class LargeRequest(InboundCall call, PartialMessage message) : CallWork(call)
{
    public override int Length => message.Length;

    protected override void Run()
    {
        if (!Call.TryFailAbandoned())
        {
            message.Lend();
            Call.Method.Invoke(Call, message.Body);
        }

        Release();
    }

    protected override void Release() => message.Return();
}
