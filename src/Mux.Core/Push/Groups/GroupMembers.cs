using Mux.Calls;
using Mux.Engine;
using Mux.Runtime;

namespace Mux.Push;

/// <summary>The members of one group, from the first that joins until none is left: then it is forgotten for good. Safe for concurrent use.</summary>
/// <param name="shelf">Keeps the group.</param>
/// <param name="counters">Counts for all groups of its kind.</param>
/// <param name="label">Names it for people.</param>
internal abstract class GroupMembers(object shelf, GroupCounters counters, GroupLabel label)
{
    private readonly Lock _gate = new(); // after that of a member; guards the fields below
    private readonly Dictionary<GroupMember, int> _places = [];
    private readonly List<GroupMember> _members = [];
    private GroupMember[]? _all; // a copy that calls share; null if members have changed since. Read without the lock
    private Dictionary<GroupMember, object>? _excepts;
    private bool _isForgotten;
    private object? _handle;

    /// <summary>Identifies what keeps the group.</summary>
    public object Shelf => shelf;

    public GroupLabel Label => label;

    /// <summary>What users see of the group: the same object as long as it has members. Set once.</summary>
    public object? Handle
    {
        get => Volatile.Read(ref _handle);
        set => Interlocked.CompareExchange(ref _handle, value, null);
    }

    public int Count
    {
        get
        {
            lock (_gate) return _members.Count;
        }
    }

    /// <summary>All members, in no order. Never changed: the next change makes another one.</summary>
    public GroupMember[] All => Volatile.Read(ref _all) ?? Copy();

    public bool Contains(GroupMember member)
    {
        lock (_gate) return _places.ContainsKey(member);
    }

    /// <summary>Lets a member in.</summary>
    /// <param name="member">The member, whose lock this thread holds.</param>
    /// <param name="isForgotten">True if the group is forgotten: another one has its key.</param>
    /// <returns>False if it is in already, or the group is forgotten.</returns>
    public bool TryAdd(GroupMember member, out bool isForgotten)
    {
        lock (_gate)
        {
            isForgotten = _isForgotten;
            if (isForgotten || !_places.TryAdd(member, _members.Count)) return false;
            _members.Add(member);
            Volatile.Write(ref _all, null);
        }

        counters.OnJoined();
        return true;
    }

    /// <summary>Takes a member out. The last one takes the group with it: <see cref="OnForgotten"/> has to be called then, without locks.</summary>
    /// <returns>True if the group is forgotten now.</returns>
    public bool Remove(GroupMember member)
    {
        bool isForgotten;
        lock (_gate)
        {
            if (!_places.Remove(member, out int place)) return false;
            var last = _members[^1];
            _members.RemoveAt(_members.Count - 1);
            if (last != member)
            {
                _members[place] = last;
                _places[last] = place;
            }

            _excepts?.Remove(member);
            Volatile.Write(ref _all, null);
            isForgotten = _isForgotten = _members.Count == 0;
        }

        counters.OnLeft();
        return isForgotten;
    }

    /// <summary>Forgets the group if it has no members.</summary>
    /// <returns>True if it is forgotten now.</returns>
    public bool TryForget()
    {
        lock (_gate)
        {
            if (_isForgotten || _members.Count > 0) return false;
            return _isForgotten = true;
        }
    }

    /// <summary>Gets the proxy that calls all members but one; null if none was kept for it.</summary>
    public object? ExceptOf(GroupMember member)
    {
        lock (_gate) return _excepts?.GetValueOrDefault(member);
    }

    /// <summary>Keeps the proxy that calls all members but one, as long as that one is a member.</summary>
    /// <returns>The proxy that is kept, or <paramref name="made"/>.</returns>
    public object KeepExcept(GroupMember member, object made)
    {
        lock (_gate)
        {
            if (!_places.ContainsKey(member)) return made;
            _excepts ??= [];
            return _excepts.TryAdd(member, made) ? made : _excepts[member];
        }
    }

    /// <summary>The group is forgotten: its shelf drops it. Called without locks.</summary>
    public abstract void OnForgotten();

    private GroupMember[] Copy()
    {
        lock (_gate)
        {
            if (_all is { } made) return made;
            var all = _members.ToArray();
            Volatile.Write(ref _all, all);
            return all;
        }
    }
}

/// <summary>A call in the queue of a member. Guarded by the lock of the queue until it is taken out.</summary>
internal sealed class GroupEntry
{
    public GroupShare Share { get; set; } = null!;

    public GroupLabel Group { get; set; } = null!;

    /// <summary>The call; null if it is <see cref="Call"/>.</summary>
    public GroupMessage? Message { get; set; }

    /// <summary>The call to the member alone; null if it is one of a group.</summary>
    public OutgoingCall? Call { get; set; }

    /// <summary>Bytes that it counts.</summary>
    public long Charge { get; set; }

    /// <summary>When it expires, on the clock of the connection.</summary>
    public long Due { get; set; } = Clock.Never;

    /// <summary>What learns that it has a place in the queue; null once it has, and if it had one at once.</summary>
    public GroupSend? Send { get; set; }

    /// <summary>Since when its caller waits, if it does.</summary>
    public long WaitsSince { get; set; }

    /// <summary>True while a thread hands it over: no other may take it out.</summary>
    public bool IsStarting { get; set; }

    public GroupEntry? Next { get; set; }

    public GroupEntry? Previous { get; set; }

    /// <summary>Rents one for a call of a group, which it holds.</summary>
    public static GroupEntry Rent(GroupLabel group, GroupMessage message, long charge, long due)
    {
        message.Hold();
        var entry = ObjectPool<GroupEntry>.Shared.TryRent() ?? new GroupEntry();
        (entry.Group, entry.Message, entry.Charge, entry.Due) = (group, message, charge, due);
        return entry;
    }

    /// <summary>Rents one for a call to the member alone.</summary>
    public static GroupEntry Rent(GroupLabel label, OutgoingCall call, long charge)
    {
        var entry = ObjectPool<GroupEntry>.Shared.TryRent() ?? new GroupEntry();
        (entry.Group, entry.Call, entry.Charge, entry.Due) = (label, call, charge, call.Due);
        return entry;
    }

    /// <summary>Takes the memory of a call. It gets that of the calls that were dropped for it, or it would be lost together with them.</summary>
    /// <param name="memory">The memory of the connection; null if it is not limited.</param>
    /// <param name="charge">Bytes that the call counts.</param>
    /// <param name="dropped">The first of what was taken out for it; released when the call is in the queue.</param>
    public static bool TryTakeMemory(MemoryShare? memory, long charge, GroupEntry? dropped)
    {
        if (memory is null) return true;
        long freed = 0;
        for (; dropped is not null; dropped = dropped.Next) freed += dropped.Charge;
        if (freed < charge) return memory.TryTake(charge) == MemoryVerdict.Granted;
        memory.Take(charge);
        return true;
    }

    /// <summary>
    /// Hands the call to the connection of the member. Called by the thread that runs the queue. After an exception, such
    /// as for lack of memory, the connection may have a part of the call: it ends, and the member misses what waits.
    /// </summary>
    /// <param name="lone">The calls to the member alone, if there are any.</param>
    /// <param name="connection">The connection of the member.</param>
    /// <param name="room">Is told of room if there is none.</param>
    /// <param name="refusal">What the member says of a call that it refuses; otherwise null.</param>
    public GroupStart Start(LoneCalls? lone, Connection connection, IRoomWatch room, out string? refusal)
    {
        refusal = null;
        try
        {
            return Call is { } call ? lone!.Start(call) : GroupCall.Start(this, connection, room, out refusal);
        }
        catch (Exception error)
        {
            bool isHandedOver = Call is not null && lone!.IsHandedOver; // then it has its outcome, or gets it from the end
            var text = $"A call could not be handed to the connection: {error.Message}";
            connection.Abort(new ConnectionEnd(CloseReason.Internal, text, error));
            return isHandedOver ? GroupStart.Appended : GroupStart.Gone;
        }
    }

    /// <summary>Lets go of the call of a group. The entry is in no queue.</summary>
    public void Return()
    {
        Message?.LetGo();
        (Share, Group, Message, Call, Send, Next, Previous) = (null!, null!, null, null, null, null, null);
        IsStarting = false;
        ObjectPool<GroupEntry>.Shared.Return(this);
    }
}

/// <summary>Names a group for people.</summary>
/// <param name="kind">The name of its kind.</param>
/// <param name="key">Its key, whose text is made when it is needed: that is user code.</param>
internal sealed class GroupLabel(string kind, object? key)
{
    public override string ToString()
    {
        if (key is null or "") return kind;
        try
        {
            return $"{kind}[{key}]";
        }
        catch (Exception)
        {
            return $"{kind}[a key without a text]";
        }
    }
}

/// <summary>What becomes of a call that has found no room.</summary>
internal enum QueuePlace
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

/// <summary>A group of which there may be members or not: what a handle of users and its proxies refer to. Safe for concurrent use.</summary>
/// <param name="kind">What it shares with other groups.</param>
internal abstract class GroupPlace(GroupKind kind) : GroupTarget(kind)
{
    /// <summary>The members in this process; null if there are none.</summary>
    public abstract GroupMembers? Members { get; }

    /// <summary>The name that the group has at all servers; of use only with a <see cref="GroupKind.Relay"/>.</summary>
    protected abstract string Name { get; }

    /// <summary>Lets a peer in.</summary>
    /// <returns>The members; null if it is in already, or its connection has ended.</returns>
    /// <exception cref="MuxException">The peer is in as many groups as it may be.</exception>
    public GroupMembers? Add(MuxPeer peer)
    {
        if (peer is ConnectionPeer connected)
        {
            foreach (var method in Kind.Methods.All) connected.Environment.Note(method.Called.Descriptor);
        }

        return Join(GroupMember.Of(peer));
    }

    /// <summary>Takes a peer out.</summary>
    /// <returns>False if it is not in.</returns>
    public bool Remove(MuxPeer peer) => Members is { } members && GroupMember.Find(peer) is { } member && member.Leave(members);

    public bool Contains(MuxPeer peer) => Members is { } members && GroupMember.Find(peer) is { } member && members.Contains(member);

    protected override string[] Names() => [Name];

    protected override GroupMember[] MembersNow(out GroupLabel? label)
    {
        var members = Members;
        label = members?.Label;
        return members?.All ?? [];
    }

    /// <summary>Lets a member in.</summary>
    protected abstract GroupMembers? Join(GroupMember member);
}

/// <summary>The group with a key.</summary>
internal sealed class KeyedPlace<TKey>(GroupShelf<TKey> shelf, TKey key) : GroupPlace(shelf.Kind)
    where TKey : notnull
{
    private string? _name;

    public override GroupMembers? Members => shelf.Find(key);

    protected override string Name => _name ??= shelf.NameOf(key);

    protected override GroupMembers? Join(GroupMember member) => shelf.Join(key, member);
}
