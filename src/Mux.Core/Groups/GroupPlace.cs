using Mux.Calls;
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

    /// <summary>The members; null if there are none.</summary>
    public abstract GroupMembers? Members { get; }

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
    public void Call(GroupMethod method, MessageBuffer buffer, ReadOnlySpan<byte> body, MuxCallOptions? options, MuxPeer? except)
    {
        kind.Counters.OnCall();
        if (Members is not { } members) return;
        var all = members.All;
        var spared = except is null ? null : GroupMember.Find(except);
        var call = GroupCall.Rent(method);
        OutgoingOptions.ApplyToMany(call, options);
        call.SetTimeout(options?.Timeout);
        int others = HandToOthers(all, spared, method, body); // first: a large body leaves its buffer
        var bulk = body.Length > ProtocolConstants.MaxWholeBody ? BulkMessage.Take(buffer, body) : null;
        int delivered = others + call.HandTo(all, spared, bulk is null ? body : [], bulk, kind.FanOut);
        call.Return();
        bulk?.LetGo();
        int wanted = spared is not null && Array.IndexOf(all, spared) >= 0 ? all.Length - 1 : all.Length;
        kind.Counters.OnHandedOver(delivered, wanted - delivered);
    }

    /// <summary>Lets a member in.</summary>
    protected abstract GroupMembers? Join(GroupMember member);

    /// <summary>Calls the members that are no connections.</summary>
    private int HandToOthers(GroupMember[] members, GroupMember? except, GroupMethod method, ReadOnlySpan<byte> body)
    {
        int delivered = 0;
        foreach (var member in members)
        {
            if (member.Connection is not null || member == except) continue;
            try
            {
                _ = IgnoreAsync(method.InvokeAsync(kind.Methods.ProxyOf(member.Peer), body));
                delivered++;
            }
            catch (Exception)
            {
                // It misses the call, as one whose connection is lost.
            }
        }

        return delivered;
    }

    private static async Task IgnoreAsync(ValueTask call)
    {
        try
        {
            await call.ConfigureAwait(false);
        }
        catch (Exception)
        {
            // Of a one-way call nobody learns of it.
        }
    }
}
