using System.Collections.Concurrent;

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
