using Mux.Protocol;
using Mux.Runtime;

namespace Mux.Push;

/// <summary>Hands an encoded call to the members of a group in this process.</summary>
/// <remarks>
/// To a few members the thread sends itself, as for other calls. For more it only appends: a send costs 3 us, so a thousand would hold the caller, and often a
/// turn, for 3 ms. Sweeps of the <see cref="FanOut"/> send, and what further calls append meanwhile leaves with the same sends. They also hand over what waits
/// in the queues of members.
/// </remarks>
internal static class GroupDelivery
{
    /// <summary>Members to which the caller sends.</summary>
    private const int MostSentHere = 8;

    /// <summary>Members after which sweeps begin, while the call is handed to the others.</summary>
    private const int Portion = 256;

    /// <summary>Hands a call to members, and counts for whom.</summary>
    /// <param name="kind">What the group shares with others.</param>
    /// <param name="members">The members.</param>
    /// <param name="label">Names their group for people.</param>
    /// <param name="method">The method.</param>
    /// <param name="body">The encoded request.</param>
    /// <param name="bulk">The same request if it is large; otherwise null.</param>
    /// <param name="options">Options of the call, or null.</param>
    /// <param name="except">Who does not get it; null if all members do.</param>
    /// <param name="report">Learns what becomes of it; null if its caller does not ask.</param>
    /// <returns>What the caller may wait for: members that have no room. Null if there is none.</returns>
    public static GroupSend? Run(
        GroupKind kind, GroupMember[] members, GroupLabel label, GroupMethod method, ReadOnlySpan<byte> body, BulkMessage? bulk, MuxCallOptions? options,
        GroupExcept? except, GroupSend? report = null)
    {
        var call = GroupCall.Rent(method, options, isSentLater: members.Length > MostSentHere);
        var owing = new SweptChain(kind.FanOut, Portion);
        GroupMessage? message = null;
        var send = report;
        int delivered = 0, wanted = 0;
        foreach (var member in members)
        {
            if (except?.Spares(member) == true) continue;
            wanted++;
            if (member.Connection is not { } connection)
            {
                if (TryInvoke(kind, member, method, body)) delivered++;
                else report?.OnMissed(member.Peer, MuxMissReason.Failed);
                continue;
            }

            long due = call.Deadline == Clock.Never ? Clock.Never : Clock.After(connection.Clock.Now, call.Deadline);
            string? refusal = null;
            var start = GroupStart.NoRoom;
            if (member.Queue is not { IsEmpty: false }) start = call.Start(connection, member, bulk is null ? body : [], bulk, due, out refusal);
            switch (start)
            {
                case GroupStart.Appended:
                    delivered++;
                    if (call.IsSentLater && member.TryMark()) owing.Add(member);
                    break;
                case GroupStart.NoRoom:
                    message ??= GroupMessage.Keep(method, call.Extras, body, bulk);
                    var place = member.OpenQueue(kind.FanOut).Add(kind, label, message, due, ref send);
                    if (place == QueuePlace.First && member.TryMark()) owing.Add(member);
                    break;
                default:
                    member.OpenQueue(kind.FanOut).Missed.Add(kind, label, GroupCall.ReasonOf(start), refusal);
                    report?.OnMissed(member.Peer, GroupCall.ReasonOf(start));
                    break;
            }
        }

        owing.Flush();
        call.Return();
        message?.LetGo();
        kind.Counters.OnDelivered(delivered);
        report?.OnCall(wanted);
        if (report is null) send?.OnDecided(); // else its caller does it
        return send;
    }

    /// <summary>Calls a member that is no connection.</summary>
    private static bool TryInvoke(GroupKind kind, GroupMember member, GroupMethod method, ReadOnlySpan<byte> body)
    {
        try
        {
            _ = IgnoreAsync(method.InvokeAsync(kind.Methods.ProxyOf(member.Peer), body));
            return true;
        }
        catch (Exception)
        {
            kind.Counters.OnMissed(MuxMissReason.Failed);
            return false;
        }
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

/// <summary>Members to which something has to be sent, on their way to the sweeps.</summary>
/// <param name="fanOut">Has the sweeps.</param>
/// <param name="portion">Members after which sweeps begin.</param>
internal struct SweptChain(FanOut fanOut, int portion)
{
    private SweptReader? _first;
    private SweptReader? _last;
    private int _count;

    /// <summary>Adds one, which is in no list.</summary>
    public void Add(SweptReader member)
    {
        if (_last is null) _first = member;
        else _last.Next = member;
        _last = member;
        if (++_count == portion) Flush();
    }

    /// <summary>Hands over all that were added.</summary>
    public void Flush()
    {
        if (_last is null) return;
        fanOut.Add(_first!, _last, _count);
        (_first, _last, _count) = (null, null, 0);
    }
}
