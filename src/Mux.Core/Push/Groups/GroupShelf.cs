using System.Collections.Concurrent;
using Mux.Runtime;

namespace Mux.Push;

/// <summary>The groups of one kind that have members in this process, by key. Safe for concurrent use.</summary>
/// <param name="kind">What they share.</param>
/// <param name="nameOf">Names a group for all servers; null without <see cref="GroupKind.Relay"/>.</param>
internal sealed class GroupShelf<TKey>(GroupKind kind, Func<TKey, string>? nameOf = null)
    where TKey : notnull
{
    private readonly ConcurrentDictionary<TKey, KeyedMembers<TKey>> _groups = new();

    public GroupKind Kind => kind;

    /// <summary>Names a group for all servers.</summary>
    public string NameOf(TKey key) => nameOf!(key);

    /// <summary>Finds a group; null if it has no members.</summary>
    public GroupMembers? Find(TKey key) => _groups.TryGetValue(key, out var group) ? group : null;

    /// <summary>Lets a peer into a group.</summary>
    /// <returns>The group; null if the peer is in already, or its connection has ended.</returns>
    /// <exception cref="MuxException">It is in as many groups as it may be.</exception>
    public GroupMembers? Join(TKey key, GroupMember member)
    {
        while (true)
        {
            var group = _groups.TryGetValue(key, out var found) ? found : Make(key);
            bool isIn = false, isForgotten = false;
            try
            {
                group.Begin(); // each of them: the one that made it may have failed
                isIn = member.TryJoin(group, out isForgotten);
            }
            finally
            {
                if (!isIn && group.TryForget()) group.OnForgotten(); // it was made for a member that does not come: the next one makes another
            }

            if (!isForgotten) return isIn ? group : null;
            Remove(key, group); // the thread that forgot it may not have come to this yet
        }
    }

    /// <summary>Drops a group that is forgotten. May be called repeatedly.</summary>
    public void Remove(TKey key, KeyedMembers<TKey> group)
    {
        if (_groups.TryRemove(new(key, group))) kind.Counters.OnGroupForgotten();
    }

    private KeyedMembers<TKey> Make(TKey key)
    {
        var made = new KeyedMembers<TKey>(this, key, kind.Relay is null ? string.Empty : NameOf(key)); // first: it may run user code, which may throw
        var group = _groups.GetOrAdd(key, made);
        if (group == made) kind.Counters.OnGroupMade();
        return group;
    }
}

/// <summary>
/// What of the queue of one member is that of one kind of groups, and how long callers still wait for it. Guarded by the lock of the queue.
/// </summary>
/// <remarks>
/// The patience is a budget: the time that callers wait is taken from it, and each time that the queue has been full and falls to its half, half of
/// <see cref="GroupKind.WaitTimeout"/> comes back. So a member that takes just enough does not hold callers for ever, and one that is as fast as it should be
/// sets their pace for as long as they call.
/// </remarks>
internal sealed class GroupShare(GroupKind kind)
{
    private long _patience = kind.WaitTimeout; // microseconds, at _waitsSince while callers wait
    private long _waitsSince;
    private bool _wasFull; // since it was at its half

    public GroupKind Kind => kind;

    /// <summary>Calls in the queue, without those that callers wait for.</summary>
    public int Calls { get; set; }

    /// <summary>Their bytes, with <see cref="GroupQueue.CallCharge"/> for each.</summary>
    public long Bytes { get; set; }

    /// <summary>Calls behind the queue, whose callers wait for room.</summary>
    public int WaitingCalls { get; private set; }

    public long WaitingBytes { get; private set; }

    /// <summary>The first call that a caller waits for; null if there is none.</summary>
    public GroupEntry? FirstWaiting { get; set; }

    public bool IsDownToHalf => Calls == 0 || Bytes <= kind.QueuedBytes / 2;

    /// <summary>True if a call of this size has no room in the queue. One of any size fits in an empty one, unless there is none at all.</summary>
    public bool IsFullFor(long bytes) => WaitingCalls > 0 || !Fits(bytes);

    /// <summary>True if a call of this size has room, though others wait before it.</summary>
    public bool Fits(long bytes) => Calls == 0 ? kind.QueuedBytes > 0 : Bytes + bytes <= kind.QueuedBytes;

    /// <summary>True if the caller of a call may wait.</summary>
    public bool MayWait(long bytes, long now) =>
        kind.QueuedBytes > 0 && PatienceAt(now) > 0 && WaitingBytes + bytes <= Math.Max(kind.QueuedBytes, bytes);

    /// <summary>Gets for how many microseconds callers still wait, in total.</summary>
    public long PatienceAt(long now) => WaitingCalls == 0 ? _patience : Math.Max(0, _patience - (now - _waitsSince));

    /// <summary>Gets when the first of the callers that wait does so no longer: no call waits for more than the timeout, whatever room is made.</summary>
    public long FirstEnd(long now) =>
        FirstWaiting is { } first ? Math.Min(now + PatienceAt(now), first.WaitsSince + kind.WaitTimeout) : Clock.Never;

    /// <summary>The queue has no room.</summary>
    public void OnFull() => _wasFull = true;

    /// <summary>The queue is down to its half.</summary>
    /// <param name="now">The time.</param>
    /// <param name="isTaken">True if the member has taken a call, false if calls have expired, which is no progress of the member.</param>
    public void OnHalf(long now, bool isTaken)
    {
        if (isTaken && _wasFull) (_patience, _waitsSince) = (Math.Min(kind.WaitTimeout, PatienceAt(now) + (kind.WaitTimeout / 2)), now);
        _wasFull = false;
    }

    /// <summary>One more caller waits.</summary>
    public void OnWaits(GroupEntry entry, long now)
    {
        FirstWaiting ??= entry;
        if (WaitingCalls == 0) _waitsSince = now;
        WaitingCalls++;
        WaitingBytes += entry.Charge;
        entry.WaitsSince = now;
    }

    /// <summary>One caller waits no longer.</summary>
    public void OnWaited(GroupEntry entry, long now)
    {
        long left = PatienceAt(now);
        WaitingBytes -= entry.Charge;
        if (--WaitingCalls == 0) _patience = left;
    }
}

/// <summary>The members of the group with a key. If the group has members at other servers, this one subscribes to what is called there.</summary>
/// <param name="shelf">Keeps the group.</param>
/// <param name="key">The key.</param>
/// <param name="name">The name of the group at all servers; empty if all members are in this process.</param>
internal sealed class KeyedMembers<TKey>(GroupShelf<TKey> shelf, TKey key, string name)
    : GroupMembers(shelf, shelf.Kind.Counters, new GroupLabel(shelf.Kind.Counters.Name, key))
    where TKey : notnull
{
    private readonly Lock _gate = new(); // guards the fields below
    private IDisposable? _subscription;
    private bool _isOver;
    private int _hasBegun; // 1 if a member has subscribed, or does so

    /// <summary>Subscribes, unless another member has, or does so. Called for each member before it is in, without locks.</summary>
    public void Begin()
    {
        if (shelf.Kind.Relay is not { } relay || Interlocked.Exchange(ref _hasBegun, 1) != 0) return;
        IDisposable subscription;
        try
        {
            subscription = relay.Subscribe(name, OnReceived);
        }
        catch
        {
            Volatile.Write(ref _hasBegun, 0); // the next member tries again
            throw;
        }

        lock (_gate)
        {
            _subscription = subscription;
            if (!_isOver) return;
        }

        subscription.Dispose(); // forgotten meanwhile
    }

    public override void OnForgotten()
    {
        IDisposable? subscription;
        lock (_gate)
        {
            _isOver = true;
            subscription = _subscription;
        }

        shelf.Remove(key, this);
        try
        {
            subscription?.Dispose();
        }
        catch (Exception)
        {
            // A backplane of users. What it throws must not keep the member, whose connection has ended, in its other groups.
        }
    }

    /// <summary>A call of another server has come, or one of this server comes back.</summary>
    private void OnReceived(ReadOnlyMemory<byte> message)
    {
        if (GroupArrival.TryRead(shelf.Kind, name, message, out var arrival)) arrival.Deliver(shelf.Kind, All, Label, arrival.Envelope.Except);
    }
}
