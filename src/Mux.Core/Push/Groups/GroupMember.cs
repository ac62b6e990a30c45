using System.Diagnostics;
using System.Runtime.CompilerServices;
using Mux.Calls;
using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;
using Mux.Telemetry;

namespace Mux.Push;

/// <summary>
/// A peer as groups see it: the groups that it is in, and whether something of them has to be sent to it. One for each peer that was in a group. Safe for
/// concurrent use.
/// </summary>
internal sealed class GroupMember : SweptReader, IPeerWatch, IRoomWatch
{
    /// <summary>Groups that a peer may be in.</summary>
    private const int MostGroups = 1_024;

    /// <summary>Members that are no connections: peers that a test made.</summary>
    private static readonly ConditionalWeakTable<MuxPeer, GroupMember> s_others = [];

    private readonly Lock _gate = new(); // before those of groups; guards the two fields below
    private readonly List<GroupMembers> _groups = [];
    private bool _hasEnded;
    private int _isMarked; // 1 while a sweep owes it a send
    private GroupQueue? _queue; // made when it is needed
    private FanOut _fanOut = FanOut.OfProcess; // set before the queue is

    private GroupMember(MuxPeer peer)
    {
        Peer = peer;
        Connection = (peer as ConnectionPeer)?.Connection;
    }

    public MuxPeer Peer { get; }

    /// <summary>The connection of the peer; null if it has none, because a test made it.</summary>
    public Connection? Connection { get; }

    /// <summary>The calls that wait for its connection, and what it has missed; null if none ever did.</summary>
    public GroupQueue? Queue => Volatile.Read(ref _queue);

    /// <summary>Number of groups that it is in.</summary>
    public int Groups
    {
        get
        {
            lock (_gate) return _groups.Count;
        }
    }

    /// <inheritdoc/>
    public bool HasWaiting => Queue is { IsEmpty: false };

    private bool HasEndedLocked => _hasEnded || Connection is { HasEnded: true };

    /// <summary>Gets the member that a peer is.</summary>
    public static GroupMember Of(MuxPeer peer) => Find(peer) ?? (peer is ConnectionPeer connected
        ? (GroupMember)connected.WatchWith(new GroupMember(peer))
        : s_others.GetValue(peer, static other => OfOther(other)));

    /// <summary>Gets the member that a peer is; null if it was never in a group.</summary>
    public static GroupMember? Find(MuxPeer peer) =>
        peer is ConnectionPeer connected ? (GroupMember?)connected.Watch : s_others.TryGetValue(peer, out var known) ? known : null;

    /// <summary>Joins a group.</summary>
    /// <param name="group">The group.</param>
    /// <param name="isForgotten">True if the group is forgotten.</param>
    /// <returns>False if it is in already, its connection has ended, or the group is forgotten.</returns>
    /// <exception cref="MuxException">It is in as many groups as it may be.</exception>
    public bool TryJoin(GroupMembers group, out bool isForgotten)
    {
        isForgotten = false;
        lock (_gate)
        {
            if (HasEndedLocked) return false;
            if (_groups.Count == MostGroups && !group.Contains(this)) throw TooMany();
            if (!group.TryAdd(this, out isForgotten)) return false;
            if (_groups.Count == 0) Connection?.AddKeeper();
            _groups.Add(group);
            return true;
        }
    }

    /// <summary>Leaves a group.</summary>
    /// <returns>False if it is not in.</returns>
    public bool Leave(GroupMembers group)
    {
        bool isForgotten;
        lock (_gate)
        {
            if (!_groups.Remove(group)) return false;
            if (_groups.Count == 0) Connection?.RemoveKeeper();
            isForgotten = group.Remove(this);
        }

        if (isForgotten) group.OnForgotten();
        return true;
    }

    /// <summary>Leaves all groups of one shelf.</summary>
    /// <returns>Number of groups that it has left.</returns>
    public int LeaveAll(object shelf)
    {
        GroupMembers[] groups;
        lock (_gate) groups = [.. _groups.Where(group => group.Shelf == shelf)];
        return groups.Count(Leave);
    }

    /// <summary>Gets <see cref="Queue"/> of a member with a connection.</summary>
    /// <param name="fanOut">Runs it.</param>
    public GroupQueue OpenQueue(FanOut fanOut)
    {
        if (Queue is { } known) return known;
        _fanOut = fanOut;
        return Interlocked.CompareExchange(ref _queue, new GroupQueue(Peer, Connection!, this, Report), null) ?? _queue;
    }

    /// <inheritdoc/>
    public void Add(OutgoingCall call, PeerCalls calls, ReadOnlySpan<byte> body)
    {
        if (call.Bulk is null) CallQueue.HoldBody(call, body);
        if (OpenQueue(_fanOut).Add(call, calls) == QueuePlace.First) OnRoom();
    }

    /// <inheritdoc/>
    public void OnRoom()
    {
        if (TryMark()) _fanOut.Add(this);
    }

    public void OnEnded()
    {
        GroupMembers[] groups;
        lock (_gate)
        {
            _hasEnded = true;
            groups = [.. _groups];
            _groups.Clear();
        }

        foreach (var group in groups)
        {
            if (group.Remove(this)) group.OnForgotten();
        }

        Queue?.End();
    }

    /// <summary>Something was appended for the peer.</summary>
    /// <returns>True if the caller has to hand it to a sweep; false if one will come to it anyway.</returns>
    public bool TryMark() => Interlocked.Exchange(ref _isMarked, 1) == 0;

    /// <summary>Hands over what waits, as far as there is room, and sends what was appended.</summary>
    public override void Run()
    {
        Interlocked.Exchange(ref _isMarked, 0); // before the send: what is appended from now on marks it again
        bool isMore = Queue?.Run() == true;
        Connection!.Flush();
        if (isMore) OnRoom();
    }

    private static GroupMember OfOther(MuxPeer peer)
    {
        var member = new GroupMember(peer);
        peer.Closed.UnsafeRegister(static member => ((GroupMember)member!).OnEnded(), member);
        return member;
    }

    /// <summary>Has a log written that tells what was missed, on another thread: this one may be in a turn, and a log may block.</summary>
    private void Report(GroupMisses misses)
    {
        if (Peer is not ConnectionPeer peer) return;
        EnginePool.Queue(
            static report =>
            {
                var (peer, misses) = report;
                var logger = peer.Environment.Logger;
                if (misses.IsDeparture) GroupLog.MemberGone(logger, peer.ToString(), misses.Count, misses.Group.ToString());
                else GroupLog.CallsMissed(logger, peer.ToString(), misses.Count, misses.Group.ToString(), misses.Reasons, misses.Advice);
            },
            (peer, misses));
    }

    private MuxException TooMany() => new(MuxStatus.ResourceExhausted,
        $"The connection {Peer} is in {MostGroups} groups, and may be in no more. Take it out of others first.");
}

/// <summary>
/// A time at which something is done with what a lock guards. The time is decided under the lock, and the ticker of the
/// connections is told without it, because a clock may be code of users. It may fire early or for nothing, so what it
/// runs looks at the time. Safe for concurrent use.
/// </summary>
/// <remarks>
/// A timer of .NET would wait for a thread of its pool, which blocked code of users may fill. The ticker holds this
/// only while a time is decided: each of its ticks looks at all that it holds.
/// </remarks>
/// <param name="clock">The clock.</param>
/// <param name="gate">The lock.</param>
/// <param name="fired">Runs without locks.</param>
internal sealed class LooseTimer(Clock clock, Lock gate, Action fired) : ITicked, IThreadPoolWorkItem
{
    private readonly Ticker _ticker = Ticker.For(clock);
    private long _due = Clock.Never; // written under the lock, which guards the fields below
    private bool _isTicked; // the ticker has it, or a thread is about to see to that
    private bool _isQueued; // a thread is about to run what it fires
    private bool _hasEnded;

    /// <inheritdoc/>
    public long NextDue => Volatile.Read(ref _due);

    /// <summary>Has it fire at some time, or before.</summary>
    /// <returns>True if this thread has to call <see cref="Set"/> without the lock.</returns>
    public bool IsSetForLocked(long due)
    {
        Debug.Assert(gate.IsHeldByCurrentThread);
        if (due >= _due || _hasEnded) return false;
        Volatile.Write(ref _due, due);
        return true;
    }

    /// <summary>Sets it for the time that was decided last.</summary>
    public void Set()
    {
        bool isTicked;
        lock (gate)
        {
            if (_hasEnded) return;
            isTicked = _isTicked;
            _isTicked = true;
        }

        if (isTicked) _ticker.Request(NextDue);
        else TellTicker();
    }

    /// <summary>It fires no more. Called without the lock.</summary>
    public void End()
    {
        lock (gate)
        {
            (_hasEnded, _isTicked) = (true, false);
            Volatile.Write(ref _due, Clock.Never);
        }

        TellTicker();
    }

    /// <inheritdoc/>
    public void OnTick(long now)
    {
        lock (gate)
        {
            Volatile.Write(ref _due, Clock.Never);
            if (_isQueued) return;
            _isQueued = true;
        }

        // It may tell observers of calls, which are code of users.
        if (Ticker.MayNotBlock) WorkQueue.OfProcess.Add(this);
        else Fire();
    }

    void IThreadPoolWorkItem.Execute() => Fire();

    private void Fire()
    {
        lock (gate) _isQueued = false;
        fired();
        lock (gate)
        {
            if (_due != Clock.Never) return;
            _isTicked = false;
        }

        TellTicker();
    }

    /// <summary>
    /// Joins or leaves the ticker. Other threads may decide otherwise meanwhile: the last one to act has seen the last
    /// decision.
    /// </summary>
    private void TellTicker()
    {
        bool joins, isLast;
        do
        {
            lock (gate) joins = _isTicked;
            if (joins) _ticker.Add(this);
            else _ticker.Remove(this);
            lock (gate) isLast = joins == _isTicked;
        }
        while (!isLast);
    }
}

/// <summary>
/// An encoded call that waits for members: one object for all of them, in whose queues it is. Does not change until the last of them lets it go. Safe for
/// concurrent use.
/// </summary>
internal sealed class GroupMessage
{
    private byte[]? _body;
    private BulkMessage? _bulk;
    private int _holders;

    public GroupMethod Method { get; private set; } = null!;

    /// <summary>What the call has in addition to its request; null if nothing.</summary>
    public CallExtras? Extras { get; private set; }

    /// <summary>Length of the request.</summary>
    public int Length { get; private set; }

    /// <summary>The request, if it is not <see cref="Bulk"/>.</summary>
    public ReadOnlySpan<byte> Body => _bulk is null ? _body.AsSpan(0, Length) : [];

    /// <summary>The request, if it is large. The message holds its memory.</summary>
    public BulkMessage? Bulk => _bulk;

    /// <summary>Keeps a call, for the caller at first.</summary>
    public static GroupMessage Keep(GroupMethod method, CallExtras? extras, ReadOnlySpan<byte> body, BulkMessage? bulk)
    {
        var message = ObjectPool<GroupMessage>.Shared.TryRent() ?? new GroupMessage();
        (message.Method, message.Extras, message.Length, message._holders) = (method, extras, bulk?.Length ?? body.Length, 1);
        if (bulk is not null)
        {
            message._bulk = bulk.Share();
        }
        else
        {
            message._body = BufferPool.Rent(body.Length);
            body.CopyTo(message._body);
        }

        return message;
    }

    /// <summary>One more has it.</summary>
    public void Hold() => Interlocked.Increment(ref _holders);

    /// <summary>One has it no longer. The last one returns its memory.</summary>
    public void LetGo()
    {
        if (Interlocked.Decrement(ref _holders) > 0) return;
        if (_body is { } body) BufferPool.Return(body);
        _bulk?.LetGo();
        (_body, _bulk, Extras) = (null, null, null);
        ObjectPool<GroupMessage>.Shared.Return(this);
    }
}
