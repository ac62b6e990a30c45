using System.Diagnostics;
using Mux.Calls;
using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;

namespace Mux.Push;

/// <summary>
/// The calls that wait until the connection of a member has room, in the order in which they were made: a connection takes as many open calls as its peer
/// allows, and a loop makes more. Each kind of groups has its bound, and a policy for what is beyond it; calls to the member alone are a kind of their own.
/// Safe for concurrent use.
/// </summary>
/// <remarks>Sweeps of the fan-out hand them over. A call stays in the queue until the connection has it, so a later one of the same thread cannot overtake
/// it. Behind the queue are the calls whose callers wait for room; they are in the same list. The bytes of all are part of the memory of all peers of the
/// server.</remarks>
internal sealed class GroupQueue
{
    /// <summary>Bytes that a call counts in addition to its request.</summary>
    public const int CallCharge = 128;

    /// <summary>Calls that one run hands over. Then other members come first.</summary>
    private const int MostAtOnce = 256;

    /// <summary>Microseconds between two searches for expired calls, which look at the whole queue.</summary>
    private const long SearchPeriod = 10_000;

    private readonly MuxPeer _peer;
    private readonly Connection _connection;
    private readonly IRoomWatch _room;
    private readonly LooseTimer _timer;
    private readonly Lock _gate = new(); // guards what is below; no other lock is taken, no timer is set, and nothing is told, while it is held
    private readonly List<GroupShare> _shares = [];
    private GroupEntry? _first;
    private GroupEntry? _last;
    private int _count;
    private bool _isRunning;
    private bool _runsAgain;
    private bool _hasEnded;
    private long _nextExpiry = Clock.Never; // no call of the queue expires before
    private LoneCalls? _lone; // made with the first such call

    /// <param name="peer">The member.</param>
    /// <param name="connection">The connection of the member.</param>
    /// <param name="room">Is told when the connection has room.</param>
    /// <param name="report">Gets what the member has missed: at once, then once a minute. Called without locks; must not wait.</param>
    public GroupQueue(MuxPeer peer, Connection connection, IRoomWatch room, Action<GroupMisses> report)
    {
        (_peer, _connection, _room) = (peer, connection, room);
        Missed = new MissedCalls(connection, report);
        _timer = new LooseTimer(connection.Clock, _gate, OnDue);
    }

    /// <summary>True if no call waits. Any thread; a call that this thread has added is seen.</summary>
    public bool IsEmpty => Volatile.Read(ref _count) == 0;

    /// <summary>True if this side drains, and no handler is open for which it would make further calls: those that wait are handed over.</summary>
    private bool TakesNoFurtherCalls => _connection.Drain.IsLocal && _connection.RequestCounts.OpenCount == 0;

    /// <summary>What the member has missed.</summary>
    public MissedCalls Missed { get; }

    /// <summary>Adds a call at the end.</summary>
    /// <param name="kind">The kind of its group.</param>
    /// <param name="group">Its group.</param>
    /// <param name="message">The call, of which the queue becomes one more holder if it takes it.</param>
    /// <param name="due">When it expires, on the clock of the connection.</param>
    /// <param name="send">Learns what becomes of the call, if its caller waits; made then.</param>
    public QueuePlace Add(GroupKind kind, GroupLabel group, GroupMessage message, long due, ref GroupSend? send)
    {
        var entry = GroupEntry.Rent(group, message, message.Length + CallCharge, due);
        var place = Add(kind, entry, ref send, out var reason);
        if (place != QueuePlace.Missed) return place;
        entry.Return();
        bool ends = reason == MuxMissReason.QueueFull && kind.WhenSlow == MuxSlowMember.End;
        if (ends) Missed.BeginEnd(); // told together with what waits
        Missed.Add(kind, group, reason);
        send?.OnMissed(_peer, reason);
        if (ends) EndMember(kind);
        return place;
    }

    /// <summary>Adds a call to the member alone at the end. It fails if the queue does not take it.</summary>
    /// <param name="call">The call, which holds its request.</param>
    /// <param name="calls">Carries it.</param>
    public QueuePlace Add(OutgoingCall call, PeerCalls calls)
    {
        if (_lone is null) Interlocked.CompareExchange(ref _lone, new LoneCalls(TryTake, calls, _connection, _room), null); // no closure per call
        GroupSend? none = null;
        var entry = GroupEntry.Rent(LoneCalls.Label, call, call.LengthOf(call.BodyLength) + CallQueue.CallCharge);
        var place = Add(GroupKind.Alone, entry, ref none, out var reason);
        if (place != QueuePlace.Missed)
        {
            CallRoute.CancelIfRequested(call);
            return place;
        }

        entry.Return();
        _lone.Miss(call, reason);
        return place;
    }

    /// <summary>Hands calls over until the connection has no room, or none waits. One thread at a time does so; another that comes makes it continue.</summary>
    /// <returns>True if there is more to do, for which others should not have to wait.</returns>
    public bool Run()
    {
        lock (_gate)
        {
            _runsAgain = _isRunning;
            if (_isRunning) return false;
            _isRunning = true;
        }

        Missed.Hold(); // what this thread has in its hands when the connection ends is told with the rest
        bool isMore = HandOver();
        if (IsEmpty) SendableCalls.GiveUpRoom(_connection); // the calls for which it was kept are over
        Missed.LetGo();
        return isMore;
    }

    private bool HandOver()
    {
        for (int calls = 0; calls < MostAtOnce; calls++)
        {
            if (!TryBegin(out var head)) return false;
            var start = head.Start(_lone, _connection, _room, out string? refusal);
            if (start == GroupStart.NoRoom && !TryBeginAgain(head, ref start)) return false;
            if (start != GroupStart.NoRoom) Complete(head, start, refusal);
        }

        lock (_gate)
        {
            (_isRunning, _runsAgain) = (false, false);
            return _count > 0;
        }
    }

    /// <summary>The connection has ended: the member misses what waits.</summary>
    public void End()
    {
        GroupEntry? rest = null;
        bool isCutShort;
        Missed.BeginEnd();
        lock (_gate)
        {
            _hasEnded = true;
            isCutShort = _last is not null;
            for (var entry = _last; entry is not null;)
            {
                var previous = entry.Previous;
                if (!entry.IsStarting) TakeLocked(entry, ref rest);
                entry = previous;
            }
        }

        _timer.End();
        Finish(rest, MuxMissReason.Disconnected);
        Missed.End(isCutShort);
    }

    /// <inheritdoc cref="LoneCalls.Take"/>
    private bool TryTake(OutgoingCall call, out bool isTaken)
    {
        GroupEntry? taken = null;
        lock (_gate)
        {
            isTaken = false;
            if (call.Holder != _lone) return false;
            var entry = _first;
            while (entry is not null && entry.Call != call) entry = entry.Next;
            if (entry is not null) TakeLocked(entry, ref taken);
        }

        isTaken = taken is not null;
        if (taken is not null) Release(taken);
        return true;
    }

    private QueuePlace Add(GroupKind kind, GroupEntry entry, ref GroupSend? send, out MuxMissReason reason)
    {
        reason = MuxMissReason.QueueFull;
        long charge = entry.Charge;
        bool isHeld = _connection.Held.TryAdd(); // before it looks whether the connection drains
        var place = QueuePlace.Queued;
        bool sets = false;
        GroupEntry? dropped = null, expired = null;
        List<GroupSend>? placed = null;
        lock (_gate)
        {
            var share = ShareOfLocked(kind);
            if (_hasEnded || _connection.HasEnded || !isHeld || TakesNoFurtherCalls)
            {
                (place, reason) = (QueuePlace.Missed, MuxMissReason.Disconnected);
            }
            else
            {
                if (!share.Fits(charge)) TakeExpiredLocked(_connection.Clock.Now, ref expired, ref placed);
                if (share.IsFullFor(charge)) place = MakeRoomLocked(share, charge, ref dropped);
                if (place != QueuePlace.Missed && !GroupEntry.TryTakeMemory(_connection.Memory, charge, dropped))
                {
                    (place, reason) = (QueuePlace.Missed, MuxMissReason.NoMemory);
                }

                if (place == QueuePlace.Queued && _count == 0) place = QueuePlace.First;
                if (place == QueuePlace.Waiting) send ??= new GroupSend(reports: false);
                if (place != QueuePlace.Missed) AddLocked(share, entry, place == QueuePlace.Waiting ? send : null);
                if (place == QueuePlace.Waiting || (place != QueuePlace.Missed && entry.Call is not null))
                {
                    sets = _timer.IsSetForLocked(DueLocked(_connection.Clock.Now));
                }
            }
        }

        if (sets) _timer.Set();
        if (place != QueuePlace.Missed) kind.Counters.OnQueued(1, charge);
        else if (isHeld) ReleaseHeld();
        Finish(expired, MuxMissReason.Expired);
        Finish(dropped, MuxMissReason.Dropped);
        foreach (var other in placed ?? []) other.OnDecided();
        return place;
    }

    /// <summary>Makes room for a call, or says what becomes of it without.</summary>
    private QueuePlace MakeRoomLocked(GroupShare share, long charge, ref GroupEntry? dropped)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        switch (share.Kind.WhenSlow)
        {
            case MuxSlowMember.DropOldest:
                for (var entry = _first; entry is not null && share.IsFullFor(charge);)
                {
                    var next = entry.Next;
                    if (entry.Share == share && !entry.IsStarting) TakeLocked(entry, ref dropped);
                    entry = next;
                }

                return share.IsFullFor(charge) && share.Kind.QueuedBytes == 0 ? QueuePlace.Missed : QueuePlace.Queued;
            case MuxSlowMember.End:
                return QueuePlace.Missed;
            default:
                share.OnFull();
                return share.MayWait(charge, _connection.Clock.Now) ? QueuePlace.Waiting : QueuePlace.Missed;
        }
    }

    /// <summary>Takes out the calls whose time is over: they must not keep others out, nor callers waiting. The thread that starts one looks itself.</summary>
    private void TakeExpiredLocked(long now, ref GroupEntry? expired, ref List<GroupSend>? placed)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        if (now < _nextExpiry) return;
        long next = Clock.Never;
        for (var entry = _last; entry is not null;)
        {
            var previous = entry.Previous;
            if (entry.Due <= now && entry.Call is not null) _lone!.Renew(entry);
            if (entry.Due > now || entry.IsStarting) next = Math.Min(next, Math.Max(entry.Due, now + SearchPeriod));
            else TakeLocked(entry, ref expired);
            entry = previous;
        }

        _nextExpiry = Math.Max(next, now + SearchPeriod);
        foreach (var share in _shares) AdmitWaitingLocked(share, isTaken: false, ref placed);
    }

    /// <summary>When the timer has something to do: a caller waits no longer, or a call expires that a caller waits for, or is in its way.</summary>
    private long DueLocked(long now)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        long first = Clock.Never;
        bool hasLone = false;
        foreach (var share in _shares)
        {
            first = Math.Min(first, share.FirstEnd(now));
            hasLone |= share.Calls > 0 && ReferenceEquals(share.Kind, GroupKind.Alone);
        }

        return first == Clock.Never && !hasLone ? first : Math.Min(first, _nextExpiry);
    }

    private void AddLocked(GroupShare share, GroupEntry entry, GroupSend? send)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        (entry.Share, entry.Send, entry.Previous) = (share, send, _last);
        if (_last is null) _first = entry;
        else _last.Next = entry;
        _last = entry;
        Volatile.Write(ref _count, _count + 1);
        if (entry.Call is not null) _lone!.OnAdded(entry, _connection.Clock.Now);
        _nextExpiry = Math.Min(_nextExpiry, entry.Due);
        if (send is null)
        {
            share.Calls++;
            share.Bytes += entry.Charge;
            return;
        }

        send.OnWaits();
        share.OnWaits(entry, _connection.Clock.Now);
    }

    /// <summary>Takes a call out, and lets others follow that callers wait for.</summary>
    /// <param name="entry">The call.</param>
    /// <param name="taken">Calls that were taken out, linked by <see cref="GroupEntry.Next"/>: it becomes the first.</param>
    private void TakeLocked(GroupEntry entry, ref GroupEntry? taken)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        var share = entry.Share;
        if (entry.Send is not null)
        {
            if (share.FirstWaiting == entry) share.FirstWaiting = NextWaitingLocked(entry);
            share.OnWaited(entry, _connection.Clock.Now);
        }
        else
        {
            share.Calls--;
            share.Bytes -= entry.Charge;
        }

        if (entry.Previous is null) _first = entry.Next;
        else entry.Previous.Next = entry.Next;
        if (entry.Next is null) _last = entry.Previous;
        else entry.Next.Previous = entry.Previous;
        (entry.Previous, entry.Next) = (null, taken);
        taken = entry;
        Volatile.Write(ref _count, _count - 1);
    }

    /// <summary>The queue has become shorter: if it is down to its half, what callers wait for gets a place.</summary>
    /// <param name="share">What has become shorter.</param>
    /// <param name="isTaken">True because the member has taken a call.</param>
    /// <param name="placed">Gets the callers that are to be told.</param>
    private void AdmitWaitingLocked(GroupShare share, bool isTaken, ref List<GroupSend>? placed)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        if (!share.IsDownToHalf) return;
        long now = _connection.Clock.Now;
        share.OnHalf(now, isTaken);
        while (share.FirstWaiting is { } entry && share.Fits(entry.Charge))
        {
            share.FirstWaiting = NextWaitingLocked(entry);
            share.OnWaited(entry, now);
            share.Calls++;
            share.Bytes += entry.Charge;
            (placed ??= []).Add(entry.Send!);
            entry.Send = null;
        }

        if (share.WaitingCalls > 0) share.OnFull();
    }

    private GroupEntry? NextWaitingLocked(GroupEntry entry)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        var next = entry.Next;
        while (next is not null && (next.Share != entry.Share || next.Send is null)) next = next.Next;
        return next;
    }

    /// <returns>False if there is nothing to hand over: then this thread runs no longer.</returns>
    private bool TryBegin(out GroupEntry head)
    {
        lock (_gate)
        {
            head = _first!;
            if (_first is null) return _isRunning = _runsAgain = false;
            head.IsStarting = true;
            if (head.Call is { } call) call.Holder = null; // on its way to the connection
            return true;
        }
    }

    /// <returns>False if the connection tells of room later: then this thread runs no longer. True with an outcome if the call has expired.</returns>
    private bool TryBeginAgain(GroupEntry head, ref GroupStart start)
    {
        var (call, again) = (head.Call, false);
        lock (_gate)
        {
            if (call is null && head.Due <= _connection.Clock.Now) start = GroupStart.Expired; // a search may have passed it over
            if (start == GroupStart.Expired) return true;
            head.IsStarting = false;
            if (call is not null) call.Holder = _lone;
            again = _runsAgain || _hasEnded; // its end has passed this one over
            (_isRunning, _runsAgain) = (again, false);
        }

        if (call is not null) CallRoute.CancelIfRequested(call);
        return again;
    }

    private void Complete(GroupEntry head, GroupStart start, string? refusal)
    {
        GroupEntry? taken = null;
        List<GroupSend>? placed = null;
        var (share, group) = (head.Share, head.Group);
        lock (_gate)
        {
            head.IsStarting = false;
            TakeLocked(head, ref taken);
            if (start == GroupStart.Appended && _lone is { } lone) lone.OnTaken(_connection.Clock.Now);
            AdmitWaitingLocked(share, start == GroupStart.Appended, ref placed);
        }

        if (start == GroupStart.Appended)
        {
            share.Kind.Counters.OnDelivered(1);
        }
        else if (head.Call is { } call)
        {
            _lone!.Miss(call, GroupCall.ReasonOf(start));
        }
        else
        {
            Missed.Add(share.Kind, group, GroupCall.ReasonOf(start), refusal);
            head.Send?.OnMissed(_peer, GroupCall.ReasonOf(start));
        }

        Release(head);
        foreach (var send in placed ?? []) send.OnDecided();
    }

    /// <summary>Ends the wait of callers that have waited for long enough, and takes out what has expired.</summary>
    private void OnDue()
    {
        GroupEntry? taken = null, expired = null;
        List<GroupSend>? placed = null;
        bool sets;
        lock (_gate)
        {
            long now = _connection.Clock.Now;
            TakeExpiredLocked(now, ref expired, ref placed);
            foreach (var share in _shares)
            {
                while (share.FirstWaiting is { IsStarting: false } entry && share.FirstEnd(now) <= now) TakeLocked(entry, ref taken);
            }

            sets = _timer.IsSetForLocked(DueLocked(now));
        }

        if (sets) _timer.Set();
        Finish(expired, MuxMissReason.Expired);
        Finish(taken, MuxMissReason.QueueFull);
        foreach (var send in placed ?? []) send.OnDecided();
    }

    /// <summary>The member misses calls that were taken out.</summary>
    private void Finish(GroupEntry? taken, MuxMissReason reason)
    {
        while (taken is { } entry)
        {
            taken = entry.Next;
            if (entry.Call is { } call) _lone!.Miss(call, reason);
            else Missed.Add(entry.Share.Kind, entry.Group, reason);
            entry.Send?.OnMissed(_peer, reason);
            Release(entry);
        }
    }

    /// <summary>Gives back what a call held that was taken out. Its caller learns that it is decided.</summary>
    private void Release(GroupEntry entry)
    {
        _connection.Memory?.Release(entry.Charge);
        entry.Share.Kind.Counters.OnQueued(-1, -entry.Charge);
        var send = entry.Send;
        entry.Return();
        send?.OnDecided();
        ReleaseHeld();
    }

    /// <summary>A drain may have waited for this call alone: the run that follows ends it.</summary>
    private void ReleaseHeld()
    {
        _connection.ReleaseHeld();
        if (_connection is { Held.Any: false, Drain: { IsLocal: true } or { IsPeer: true } }) _room.OnRoom();
    }

    private void EndMember(GroupKind kind)
    {
        var text = $"The peer did not take the calls of its groups fast enough: its queue was full (MaxQueuedBytes of the groups {kind.Counters.Name} is " +
            $"{kind.QueuedBytes}, and WhenSlow is End).";
        _connection.Close(new ConnectionEnd(CloseReason.SlowPeer, text), new GoAwayFrame(ConnectionCode.SlowPeer, 0, text));
    }

    private GroupShare ShareOfLocked(GroupKind kind)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        foreach (var share in _shares)
        {
            if (ReferenceEquals(share.Kind, kind)) return share;
        }

        var made = new GroupShare(kind);
        _shares.Add(made);
        return made;
    }
}
