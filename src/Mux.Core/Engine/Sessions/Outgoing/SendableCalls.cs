using Mux.Protocol;

namespace Mux.Engine;

/// <summary>
/// Takes the waiting calls that may be sent now, one after the other. They leave in order, with one exception: while a
/// large request must wait until others have been sent whole, or a stream for its windows, those behind it that need
/// not wait for the same go before it, however many wait for it. Without that, a caller of a small method would wait
/// for the uploads of others.
/// </summary>
/// <remarks>Guarded by the connection's lock. The caller asks before each call whether the connection has a slot and room.</remarks>
internal readonly ref struct SendableCalls(CallQueue waiting, OutboundQueue outbound, StreamRoom streams)
{
    /// <summary>
    /// True if a call that is just made may be sent before those that wait: none of its line does, and none of another
    /// line may be sent. A bound call has no line here: it may be sent if none may that came before its owner awaited
    /// room, or if room was kept for it.
    /// </summary>
    public bool TryPass(OutgoingCall call)
    {
        if (!MaySend(call)) return false;
        if (waiting.Claims == 0) return true;
        if (call.Bound is not null) return TryPassBound();
        return waiting is { Room: null, KeepsRoom: false } && waiting.IsFirstOfLine(call) && Next() is null;
    }

    /// <summary>
    /// Takes what is told of room, and keeps the room if a waiting call would take it before it is used.
    /// </summary>
    public IRoomWatch? TakeRoom(Session session)
    {
        session.AssertLocked();
        if (waiting.Room is not null && session.TakesBoundCalls && First() is not null)
        {
            waiting.KeepRoom(session.Clock.Now);
            session.RequestTickLocked(waiting.NextDue);
        }

        return waiting.TakeRoom();
    }

    /// <summary>
    /// Gives up the room that is kept for the calls of an owner that has none: they are over. What waits in the
    /// connection gets it at the next flush. The lock is not held.
    /// </summary>
    public static void GiveUpRoom(Session session)
    {
        // A look without the lock: room is kept before its owner is told of it.
        if (!session.Waiting.KeepsRoom) return;
        lock (session.Gate) session.Waiting.TakeKept();
    }

    /// <summary>Removes the next one from the queue; null if no more may be sent.</summary>
    public OutgoingCall? TryTake()
    {
        var call = waiting.Count == 0 ? null : Next();
        if (call is not null) waiting.Remove(call);
        return call;
    }

    private bool TryPassBound()
    {
        if (!waiting.KeepsRoom) return waiting.Count == 0 || Next() is null;
        waiting.TakeKept();
        return true;
    }

    /// <summary>Gets the call that is sent next; null if none is.</summary>
    private OutgoingCall? Next() => First() is { } call && !waiting.HoldsBack(call) ? call : null;

    /// <summary>
    /// Gets the call that has waited longest of those that may be sent. Only the first ones are asked, for calls of one
    /// line mostly wait for the same: a stream with a large request may wait for windows, too, until its pool has another
    /// connection, and then the large requests behind it wait with it.
    /// </summary>
    private OutgoingCall? First()
    {
        OutgoingCall? next = null;
        for (int line = 0; line < CallQueue.Lines; line++)
        {
            if (waiting.FirstOf(line) is not { } call || (next is not null && CallQueue.IsBefore(next, call))) continue;
            if (MaySend(call)) next = call;
        }

        return next;
    }

    /// <summary>
    /// True unless its large request must wait, for others that are not sent whole or for memory of the peer; or its streams for windows. Bound calls never
    /// wait.
    /// </summary>
    private bool MaySend(OutgoingCall call) => !streams.IsAwaitedLocked(call)
        && (call.Bulk is null || call.Bound is not null || (!waiting.HoldsLarge && outbound.BulkLocked.MayAnnounce(call.Bulk.Left)));
}

/// <summary>What a connection asks before it takes a call. Rules are structs, so calls without a rule pay for none.</summary>
internal interface IStartRule
{
    /// <summary>True if the call may start. Under the lock of the connection.</summary>
    /// <param name="waiting">The calls that wait there.</param>
    bool Allows(CallQueue waiting);

    /// <summary>True if the connection only appends the request: its caller flushes the connection afterwards.</summary>
    bool IsSentLater { get; }

    /// <summary>Allows each call.</summary>
    readonly struct None : IStartRule
    {
        public bool Allows(CallQueue waiting) => true;

        public bool IsSentLater => false;
    }

    /// <summary>Allows each call, and leaves the send to its caller.</summary>
    readonly struct SentLater : IStartRule
    {
        public bool Allows(CallQueue waiting) => true;

        public bool IsSentLater => true;
    }
}

/// <summary>Allows a call that must not overtake earlier ones, unless calls have gone back to their route meanwhile: earlier ones may be among them.</summary>
/// <param name="removals"><see cref="CallQueue.Removals"/> of the time at which the connection got the earlier calls.</param>
internal readonly struct InOrderOnly(int removals) : IStartRule
{
    public bool Allows(CallQueue waiting) => waiting.Removals == removals;

    public bool IsSentLater => false;
}
