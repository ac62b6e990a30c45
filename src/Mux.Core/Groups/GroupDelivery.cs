using Mux.Calls;
using Mux.Lanes;

namespace Mux.Groups;

/// <summary>Hands an encoded call to the members of a group in this process.</summary>
internal static class GroupDelivery
{
    /// <summary>Hands a call to members, and counts for whom.</summary>
    /// <param name="kind">What the group shares with others.</param>
    /// <param name="members">The members.</param>
    /// <param name="method">The method.</param>
    /// <param name="body">The encoded request.</param>
    /// <param name="bulk">The same request if it is large; otherwise null.</param>
    /// <param name="options">Options of the call, or null.</param>
    /// <param name="except">A peer that does not get it; null if all members do.</param>
    public static void Run(
        GroupKind kind, GroupMember[] members, GroupMethod method, ReadOnlySpan<byte> body, BulkMessage? bulk, MuxCallOptions? options, MuxPeer? except)
    {
        var spared = except is null ? null : GroupMember.Find(except);
        var call = GroupCall.Rent(method);
        OutgoingOptions.ApplyToMany(call, options);
        call.SetTimeout(options?.Timeout);
        int delivered = HandToOthers(kind, members, spared, method, body) + call.HandTo(members, spared, bulk is null ? body : [], bulk, kind.FanOut);
        call.Return();
        int wanted = spared is not null && Array.IndexOf(members, spared) >= 0 ? members.Length - 1 : members.Length;
        kind.Counters.OnHandedOver(delivered, wanted - delivered);
    }

    /// <summary>Calls the members that are no connections.</summary>
    private static int HandToOthers(GroupKind kind, GroupMember[] members, GroupMember? except, GroupMethod method, ReadOnlySpan<byte> body)
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
            // The caller of a one-way call does not learn of it.
        }
    }
}
