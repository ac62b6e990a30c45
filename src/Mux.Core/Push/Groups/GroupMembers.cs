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
