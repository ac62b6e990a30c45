using Mux.Calls;

namespace Mux.Push;

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
