using Mux.Lanes;
using Mux.Peers;
using Mux.Serialization;
using Mux.Wire;

namespace Mux.Groups;

/// <summary>A group of which there may be members or not: what a handle of users and its proxies refer to. Safe for concurrent use.</summary>
/// <param name="kind">What it shares with other groups.</param>
internal abstract class GroupPlace(GroupKind kind)
{
    public GroupKind Kind => kind;

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
            foreach (var method in kind.Methods.All) connected.Environment.Note(method.Called.Descriptor);
        }

        return Join(GroupMember.Of(peer));
    }

    /// <summary>Takes a peer out.</summary>
    /// <returns>False if it is not in.</returns>
    public bool Remove(MuxPeer peer) => Members is { } members && GroupMember.Find(peer) is { } member && member.Leave(members);

    public bool Contains(MuxPeer peer) => Members is { } members && GroupMember.Find(peer) is { } member && members.Contains(member);

    /// <summary>Makes an encoded call.</summary>
    /// <param name="method">The method.</param>
    /// <param name="buffer">The buffer of this thread that the request was encoded in.</param>
    /// <param name="body">The request.</param>
    /// <param name="options">Options of the call, or null.</param>
    /// <param name="except">A peer that does not get it; null if all members do.</param>
    /// <param name="report">Learns what becomes of it; null if its caller does not ask.</param>
    /// <returns>What the caller may wait for; null if the call is in the hands of all connections, or missed.</returns>
    public GroupSend? Call(GroupMethod method, MessageBuffer buffer, ReadOnlySpan<byte> body, MuxCallOptions? options, MuxPeer? except,
        GroupSend? report)
    {
        kind.Counters.OnCall();
        var name = kind.Relay is null ? string.Empty : Name; // before anything is sent: it may run user code, which may throw
        var message = kind.Relay is null ? null : GroupEnvelope.Create(kind.Origin, method.Called.Descriptor, options, body);
        GroupSend? send = null;
        if (Members is { } members)
        {
            var bulk = body.Length > ProtocolConstants.MaxWholeBody ? BulkMessage.Take(buffer, body) : null; // holds the body
            send = GroupDelivery.Run(kind, members, method, body, bulk, options, except, report);
            bulk?.LetGo();
        }

        if (message is not null) kind.Relay!.TrySend(name, message); // counts itself what it does not take
        return send;
    }

    /// <summary>Lets a member in.</summary>
    protected abstract GroupMembers? Join(GroupMember member);
}
