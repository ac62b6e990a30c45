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
/// <param name="peer">The member.</param>
/// <param name="connection">The connection of the member.</param>
/// <param name="room">Is told when the connection has room.</param>
/// <param name="report">Gets what the member has missed: at once, then once a minute. Called without locks; must not wait.</param>
internal sealed class GroupQueue(MuxPeer peer, Connection connection, IRoomWatch room, Action<GroupMisses> report)
{
    /// <summary>Bytes that a call counts in addition to its request.</summary>
    public const int CallCharge = 128;

    /// <summary>Calls that one run hands over. Then other members come first.</summary>
    private const int MostAtOnce = 256;

    private static readonly TimeSpan s_reportPeriod = TimeSpan.FromMinutes(1);

    private readonly Lock _gate = new(); // guards what is below; no other lock is taken, and nothing is told, while it is held
    private readonly List<GroupShare> _shares = [];
    private GroupEntry? _first;
    private GroupEntry? _last;
    private int _count;
    private bool _isRunning;
    private bool _runsAgain;
    private bool _hasEnded;

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
        bool ends = false;
        GroupEntry? dropped = null;
        lock (_gate)
        {
            var share = ShareOfLocked(kind);
            if (_hasEnded || connection.HasEnded)
            {
                (place, reason) = (Place.Missed, MuxMissReason.Disconnected);
            }
            else
            {
                if (share.IsFullFor(charge)) (place, ends) = MakeRoomLocked(share, charge, ref dropped);
                if (place != Place.Missed && connection.Memory is { } memory && memory.TryTake(charge) != MemoryVerdict.Granted)
                {
                    (place, reason) = (Place.Missed, MuxMissReason.NoMemory);
                }

                if (place == Place.Queued && _count == 0) place = Place.First;
                if (place == Place.Waiting) send ??= new GroupSend(reports: false);
                if (place != Place.Missed) AddLocked(share, group, message, charge, due, place == Place.Waiting ? send : null);
            }
        }

        if (place != Place.Missed) kind.Counters.OnQueued(1, charge);
        Finish(dropped, MuxMissReason.Dropped);
        if (place == Place.Missed)
        {
            OnMissed(kind, group, reason);
            send?.OnMissed(peer, reason);
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
            var start = GroupCall.Start(head, connection, room, out var refusal);
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
        List<GroupMisses> untold = [];
        lock (_gate)
        {
            _hasEnded = true;
            foreach (var share in _shares) share.IsReportArmed = true; // what follows is told together
            for (var entry = _last; entry is not null;)
            {
                var previous = entry.Previous;
                if (!entry.IsStarting) TakeLocked(entry, ref rest);
                entry = previous;
            }
        }

        Finish(rest, MuxMissReason.Disconnected);
        lock (_gate)
        {
            foreach (var share in _shares)
            {
                if (share.TakeUntold() is { } misses) untold.Add(misses);
                share.IsReportArmed = false;
                share.EndTimers();
            }
        }

        foreach (var misses in untold) report(misses);
    }

    /// <summary>The member has missed a call, which is counted, and told within a minute.</summary>
    public void OnMissed(GroupKind kind, GroupLabel group, MuxMissReason reason, string? refusal = null, int count = 1)
    {
        kind.Counters.OnMissed(reason, count);
        GroupMisses? misses = null;
        lock (_gate)
        {
            var share = ShareOfLocked(kind);
            if (refusal is not null) share.Refusal = refusal;
            share.AddMiss(group, reason, count);
            if (share.IsReportArmed || (connection.HasEnded && !_hasEnded)) return; // the end tells the rest
            misses = share.TakeUntold();
            if (!_hasEnded) ArmReportLocked(share);
        }

        if (misses is not null) report(misses);
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
                long now = connection.Clock.Now;
                if (share.FullSince == 0) share.FullSince = Math.Max(now, 1);
                bool waits = share.PatienceAt(now) > 0 && share.WaitingBytes + charge <= Math.Max(share.Kind.QueuedBytes, charge);
                return (waits && share.Kind.QueuedBytes > 0 ? Place.Waiting : Place.Missed, false);
        }
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
        if (send is null)
        {
            share.Calls++;
            share.Bytes += charge;
            return;
        }

        send.OnWaits();
        share.FirstWaiting ??= entry;
        share.WaitingCalls++;
        share.WaitingBytes += charge;
        if (share.WaitingCalls == 1) ArmPatienceLocked(share);
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
            share.WaitingCalls--;
            share.WaitingBytes -= entry.Charge;
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
    /// <returns>The callers, to be told.</returns>
    private List<GroupSend>? AdmitWaitingLocked(GroupShare share)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        if (share.Bytes > share.Kind.QueuedBytes / 2 && share.Calls > 0) return null;
        List<GroupSend>? placed = null;
        while (share.FirstWaiting is { } entry && (share.Calls == 0 || share.Bytes + entry.Charge <= share.Kind.QueuedBytes))
        {
            share.FirstWaiting = NextWaitingLocked(entry);
            share.WaitingCalls--;
            share.WaitingBytes -= entry.Charge;
            share.Calls++;
            share.Bytes += entry.Charge;
            (placed ??= []).Add(entry.Send!);
            entry.Send = null;
        }

        if (share.WaitingCalls == 0)
        {
            share.FullSince = 0;
            share.Patience?.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        }
        else if (placed is not null)
        {
            share.FullSince = Math.Max(connection.Clock.Now, 1); // the member makes room: those that wait have all of the time before them
            ArmPatienceLocked(share);
        }

        return placed;
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
        List<GroupSend>? placed;
        var (share, group) = (head.Share, head.Group);
        lock (_gate)
        {
            head.IsStarting = false;
            TakeLocked(head, ref taken);
            placed = AdmitWaitingLocked(share);
        }

        if (start == GroupStart.Appended)
        {
            share.Kind.Counters.OnDelivered(1);
        }
        else
        {
            OnMissed(share.Kind, group, GroupCall.ReasonOf(start), refusal);
            head.Send?.OnMissed(peer, GroupCall.ReasonOf(start));
        }

        Release(head);
        foreach (var send in placed ?? []) send.OnDecided();
    }

    /// <summary>The queue of the member has been full for too long: no caller waits for it any longer.</summary>
    private void OnPatienceOver(GroupShare share)
    {
        GroupEntry? taken = null;
        lock (_gate)
        {
            if (share.FullSince == 0) return;
            if (share.PatienceAt(connection.Clock.Now) > 0)
            {
                ArmPatienceLocked(share); // it began anew while this waited for the lock
                return;
            }

            for (var entry = _last; entry is not null;)
            {
                var previous = entry.Previous;
                if (entry.Share == share && entry.Send is not null && !entry.IsStarting) TakeLocked(entry, ref taken);
                entry = previous;
            }
        }

        Finish(taken, MuxMissReason.QueueFull);
    }

    /// <summary>The member misses calls that were taken out.</summary>
    private void Finish(GroupEntry? taken, MuxMissReason reason)
    {
        while (taken is { } entry)
        {
            taken = entry.Next;
            OnMissed(entry.Share.Kind, entry.Group, reason);
            entry.Send?.OnMissed(peer, reason);
            Release(entry);
        }
    }

    /// <summary>Gives back what a call held that was taken out. Its caller learns that it is decided.</summary>
    private void Release(GroupEntry entry)
    {
        connection.Memory?.Release(entry.Charge);
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
        connection.Close(new ConnectionEnd(CloseReason.SlowPeer, text), new GoAwayFrame(ConnectionCode.SlowPeer, 0, text));
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

    private void ArmPatienceLocked(GroupShare share)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        share.Patience ??= CreateTimer(() => OnPatienceOver(share));
        share.Patience.Change(TimeSpan.FromMicroseconds(share.PatienceAt(connection.Clock.Now)), Timeout.InfiniteTimeSpan);
    }

    private void ArmReportLocked(GroupShare share)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        share.IsReportArmed = true;
        share.Report ??= CreateTimer(() => OnReportDue(share));
        share.Report.Change(s_reportPeriod, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Creates a timer that is not armed, and keeps nothing of the caller alive.</summary>
    private ITimer CreateTimer(Action due)
    {
        var flow = ExecutionContext.IsFlowSuppressed() ? default : ExecutionContext.SuppressFlow();
        var timer = connection.Clock.Provider.CreateTimer(static due => ((Action)due!)(), due, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        flow.Dispose();
        return timer;
    }

    private void OnReportDue(GroupShare share)
    {
        GroupMisses? misses;
        lock (_gate)
        {
            if (connection.HasEnded) return; // the end tells the rest
            share.IsReportArmed = false;
            misses = share.TakeUntold();
            if (misses is not null) ArmReportLocked(share);
        }

        if (misses is not null) report(misses);
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
