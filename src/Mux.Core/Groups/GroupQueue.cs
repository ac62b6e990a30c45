using System.Diagnostics;
using Mux.Buffers;
using Mux.Connections;
using Mux.Sessions.Budgets;
using Mux.Sessions.Calls;
using Mux.Sessions.Lifecycle;
using Mux.Timing;
using Mux.Wire;

namespace Mux.Groups;

/// <summary>
/// The calls that wait until the connection of a member has room, in the order in which they were made: a connection takes as many open calls as its peer
/// allows, and a loop makes more. Each kind of groups has its bound, and a policy for what is beyond it. Safe for concurrent use.
/// </summary>
/// <remarks>
/// Sweeps of the fan-out hand them over. A call stays in the queue until the connection has it, so a later one of the same thread cannot overtake it. Behind
/// the queue are the calls whose callers wait for room; they are in the same list. The bytes of all are part of the memory of all peers of the server.
/// </remarks>
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

    /// <summary>What becomes of a call that has found no room.</summary>
    public enum Place
    {
        /// <summary>It is in the queue, behind others.</summary>
        Queued,

        /// <summary>It is in the queue, which was empty: the caller runs it.</summary>
        First,

        /// <summary>Its caller waits until it is in the queue.</summary>
        Waiting,

        /// <summary>The member misses it, which is counted.</summary>
        Missed,
    }

    /// <summary>True if no call waits. Any thread; a call that this thread has added is seen.</summary>
    public bool IsEmpty => Volatile.Read(ref _count) == 0;

    /// <summary>What the member has missed.</summary>
    public MissedCalls Missed { get; }

    /// <summary>Adds a call at the end.</summary>
    /// <param name="kind">The kind of its group.</param>
    /// <param name="group">Its group.</param>
    /// <param name="message">The call, of which the queue becomes one more holder if it takes it.</param>
    /// <param name="due">When it expires, on the clock of the connection.</param>
    /// <param name="send">Learns what becomes of the call, if its caller waits; made then.</param>
    public Place Add(GroupKind kind, GroupLabel group, GroupMessage message, long due, ref GroupSend? send)
    {
        long charge = message.Length + CallCharge;
        var reason = MuxMissReason.QueueFull;
        var place = Place.Queued;
        bool ends = false, sets = false;
        GroupEntry? dropped = null, expired = null;
        List<GroupSend>? placed = null;
        lock (_gate)
        {
            var share = ShareOfLocked(kind);
            if (_hasEnded || _connection.HasEnded)
            {
                (place, reason) = (Place.Missed, MuxMissReason.Disconnected);
            }
            else
            {
                if (!share.Fits(charge)) TakeExpiredLocked(_connection.Clock.Now, ref expired, ref placed);
                if (share.IsFullFor(charge)) (place, ends) = MakeRoomLocked(share, charge, ref dropped);
                if (place != Place.Missed && _connection.Memory is { } memory && memory.TryTake(charge) != MemoryVerdict.Granted)
                {
                    (place, reason) = (Place.Missed, MuxMissReason.NoMemory);
                }

                if (place == Place.Queued && _count == 0) place = Place.First;
                if (place == Place.Waiting) send ??= new GroupSend(reports: false);
                if (place != Place.Missed) AddLocked(share, group, message, charge, due, place == Place.Waiting ? send : null);
                if (place == Place.Waiting) sets = _timer.IsSetForLocked(DueLocked(_connection.Clock.Now));
            }
        }

        if (sets) _timer.Set();
        if (place != Place.Missed) kind.Counters.OnQueued(1, charge);
        Finish(expired, MuxMissReason.Expired);
        Finish(dropped, MuxMissReason.Dropped);
        foreach (var other in placed ?? []) other.OnDecided();
        if (place == Place.Missed)
        {
            Missed.Add(kind, group, reason);
            send?.OnMissed(_peer, reason);
        }

        if (ends) EndMember(kind);
        return place;
    }

    /// <summary>Hands calls over until the connection has no room, or none waits. One thread at a time does so; another that comes makes it continue.</summary>
    /// <returns>True if there is more to do, for which others should not have to wait.</returns>
    public bool Run()
    {
        lock (_gate)
        {
            if (_isRunning)
            {
                _runsAgain = true;
                return false;
            }

            _isRunning = true;
        }

        for (int calls = 0; calls < MostAtOnce; calls++)
        {
            if (!TryBegin(out var head)) return false;
            var start = GroupCall.Start(head, _connection, _room, out var refusal);
            if (start == GroupStart.NoRoom)
            {
                if (!TryBeginAgain(head)) return false;
            }
            else
            {
                Complete(head, start, refusal);
            }
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
        Missed.BeginEnd();
        lock (_gate)
        {
            _hasEnded = true;
            for (var entry = _last; entry is not null;)
            {
                var previous = entry.Previous;
                if (!entry.IsStarting) TakeLocked(entry, ref rest);
                entry = previous;
            }
        }

        _timer.End();
        Finish(rest, MuxMissReason.Disconnected);
        Missed.End();
    }

    /// <summary>Makes room for a call, or says what becomes of it without.</summary>
    private (Place Place, bool Ends) MakeRoomLocked(GroupShare share, long charge, ref GroupEntry? dropped)
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

                return share.IsFullFor(charge) && share.Kind.QueuedBytes == 0 ? (Place.Missed, false) : default;
            case MuxSlowMember.End:
                return (Place.Missed, true);
            default:
                share.OnFull();
                return (share.MayWait(charge, _connection.Clock.Now) ? Place.Waiting : Place.Missed, false);
        }
    }

    /// <summary>Takes out the calls whose time is over: they must not keep others out, nor callers waiting.</summary>
    private void TakeExpiredLocked(long now, ref GroupEntry? expired, ref List<GroupSend>? placed)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        if (now < _nextExpiry) return;
        long next = Clock.Never;
        for (var entry = _last; entry is not null;)
        {
            var previous = entry.Previous;
            if (entry.Due > now) next = Math.Min(next, entry.Due);
            else if (!entry.IsStarting) TakeLocked(entry, ref expired);
            entry = previous;
        }

        _nextExpiry = Math.Max(next, now + SearchPeriod);
        foreach (var share in _shares) AdmitWaitingLocked(share, isTaken: false, ref placed);
    }

    /// <summary>When the timer has something to do: a caller waits no longer, or a call expires that a caller waits for, or that is in its way.</summary>
    private long DueLocked(long now)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        long first = Clock.Never;
        foreach (var share in _shares) first = Math.Min(first, share.FirstEnd(now));
        return first == Clock.Never ? first : Math.Min(first, _nextExpiry);
    }

    private void AddLocked(GroupShare share, GroupLabel group, GroupMessage message, long charge, long due, GroupSend? send)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        message.Hold();
        var entry = ObjectPool<GroupEntry>.Shared.TryRent() ?? new GroupEntry();
        (entry.Share, entry.Group, entry.Message, entry.Charge, entry.Due, entry.Send) = (share, group, message, charge, due, send);
        entry.Previous = _last;
        if (_last is null) _first = entry;
        else _last.Next = entry;
        _last = entry;
        Volatile.Write(ref _count, _count + 1);
        _nextExpiry = Math.Min(_nextExpiry, due);
        if (send is null)
        {
            share.Calls++;
            share.Bytes += charge;
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
            return true;
        }
    }

    /// <returns>False if the connection tells of room later: then this thread runs no longer.</returns>
    private bool TryBeginAgain(GroupEntry head)
    {
        lock (_gate)
        {
            head.IsStarting = false;
            if (_hasEnded) return true; // its end has passed this one over
            bool again = _runsAgain;
            _isRunning = again;
            _runsAgain = false;
            return again;
        }
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
            AdmitWaitingLocked(share, start == GroupStart.Appended, ref placed);
        }

        if (start == GroupStart.Appended)
        {
            share.Kind.Counters.OnDelivered(1);
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
            _timer.OnFiredLocked();
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
            Missed.Add(entry.Share.Kind, entry.Group, reason);
            entry.Send?.OnMissed(_peer, reason);
            Release(entry);
        }
    }

    /// <summary>Gives back what a call held that was taken out. Its caller learns that it is decided.</summary>
    private void Release(GroupEntry entry)
    {
        _connection.Memory?.Release(entry.Charge);
        entry.Share.Kind.Counters.OnQueued(-1, -entry.Charge);
        entry.Message.LetGo();
        var send = entry.Send;
        entry.Clear();
        ObjectPool<GroupEntry>.Shared.Return(entry);
        send?.OnDecided();
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

/// <summary>A call in the queue of a member. Guarded by the lock of the queue until it is taken out.</summary>
internal sealed class GroupEntry
{
    public GroupShare Share { get; set; } = null!;

    public GroupLabel Group { get; set; } = null!;

    public GroupMessage Message { get; set; } = null!;

    /// <summary>Bytes that it counts.</summary>
    public long Charge { get; set; }

    /// <summary>When it expires, on the clock of the connection.</summary>
    public long Due { get; set; } = Clock.Never;

    /// <summary>What learns that it has a place in the queue; null once it has, and if it had one at once.</summary>
    public GroupSend? Send { get; set; }

    /// <summary>Since when its caller waits.</summary>
    public long WaitsSince { get; set; }

    /// <summary>True while a thread hands it over: no other may take it out.</summary>
    public bool IsStarting { get; set; }

    public GroupEntry? Next { get; set; }

    public GroupEntry? Previous { get; set; }

    public void Clear()
    {
        (Share, Group, Message, Send, Next, Previous) = (null!, null!, null!, null, null, null);
        IsStarting = false;
    }
}
