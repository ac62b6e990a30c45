using System.Collections.Concurrent;

namespace Mux.Groups;

/// <summary>The groups of one kind that have members, by key. Safe for concurrent use.</summary>
internal sealed class GroupShelf<TKey>(GroupCounters counters)
    where TKey : notnull
{
    private readonly ConcurrentDictionary<TKey, GroupMembers> _groups = new();

    public GroupCounters Counters => counters;

    /// <summary>Finds a group; null if it has no members.</summary>
    public GroupMembers? Find(TKey key) => _groups.TryGetValue(key, out var group) ? group : null;

    /// <summary>Lets a peer into a group.</summary>
    /// <returns>The group; null if the peer is in already, or its connection has ended.</returns>
    /// <exception cref="MuxException">It is in as many groups as it may be.</exception>
    public GroupMembers? Join(TKey key, GroupMember member)
    {
        while (true)
        {
            var group = Find(key) ?? Make(key);
            bool isIn = false, isForgotten = false;
            try
            {
                isIn = member.TryJoin(group, out isForgotten);
            }
            finally
            {
                if (!isIn && group.TryForget()) group.OnForgotten(); // it was made for a member that does not come
            }

            if (!isForgotten) return isIn ? group : null;
            Remove(key, group); // the thread that forgot it may not have come to this yet
        }
    }

    private GroupMembers Make(TKey key)
    {
        var made = new Keyed(this, key);
        var group = _groups.GetOrAdd(key, made);
        if (group == made) counters.OnGroupMade();
        return group;
    }

    private void Remove(TKey key, GroupMembers group)
    {
        if (_groups.TryRemove(new(key, group))) counters.OnGroupForgotten();
    }

    /// <summary>The members of the group with a key.</summary>
    private sealed class Keyed(GroupShelf<TKey> shelf, TKey key) : GroupMembers(shelf, shelf.Counters)
    {
        public override void OnForgotten() => shelf.Remove(key, this);
    }
}
