using System.Globalization;
using System.Text;

namespace Mux;

/// <summary>What became of the calls of one <c>SendAsync</c> of a <c>MuxGroup</c> or of <c>MuxPeers</c> at the members of this process.</summary>
/// <remarks>A call that waits in the queue of a member may be missed later: <c>DropOldest</c> drops it, it expires, or the connection ends, also by <c>End</c>.
/// The statistics and the log tell of those. A member whose connection has ended is no member any more, and not in the list.</remarks>
/// <param name="Reached">Number of members that have the call: it is handed to their connections, or waits in their queues. With several calls, a member counts
/// for each of them.</param>
/// <param name="Missed">The members that missed it, and why; empty if all have it.</param>
/// <param name="MissedByOtherServers">True if the backplane has not taken a call, because it is interrupted or too much waits for it: members at other servers
/// miss it. False if it has taken all of them, or none had to go to other servers.</param>
public sealed record MuxGroupDelivery(int Reached, IReadOnlyList<MuxMissedMember> Missed, bool MissedByOtherServers = false)
{
    /// <summary>Members that a log needs: further ones are counted.</summary>
    private const int Named = 10;

    private bool PrintMembers(StringBuilder builder)
    {
        builder.Append(CultureInfo.InvariantCulture, $"{nameof(Reached)} = {Reached}, {nameof(Missed)} = [");
        for (int i = 0; i < Math.Min(Named, Missed.Count); i++)
        {
            builder.Append(i == 0 ? string.Empty : ", ").Append(Missed[i].Peer).Append(": ").Append(Missed[i].Reason);
        }

        if (Missed.Count > Named) builder.Append(CultureInfo.InvariantCulture, $" and {Missed.Count - Named} more");
        builder.Append("], ").Append(nameof(MissedByOtherServers)).Append(" = ").Append(MissedByOtherServers);
        return true;
    }
}

/// <summary>A member that has missed a call.</summary>
/// <param name="Peer">The member.</param>
/// <param name="Reason">Why it has missed the call.</param>
public readonly record struct MuxMissedMember(MuxPeer Peer, MuxMissReason Reason);

/// <summary>Why a member of a group has missed a call.</summary>
public enum MuxMissReason
{
    /// <summary>
    /// Its queue was full: it took calls too slowly for <c>MuxGroupOptions.WaitTimeout</c>, or <see cref="MuxSlowMember.End"/> closed its connection.
    /// </summary>
    QueueFull = 0,

    /// <summary>Its queue was full, and later calls took the place of this one: <see cref="MuxSlowMember.DropOldest"/>.</summary>
    Dropped = 1,

    /// <summary>The server has no memory for its queue: <c>Limits.MaxHeldBytes</c>, which the queues of all peers share with other needs.</summary>
    NoMemory = 2,

    /// <summary>The timeout of the call passed before the call could be sent to it.</summary>
    Expired = 3,

    /// <summary>Its connection had ended or drained, or did so before the call could be sent to it.</summary>
    Disconnected = 4,

    /// <summary>It takes no such call: it serves nothing, or the request or its metadata is larger than it accepts.</summary>
    Refused = 5,

    /// <summary>The peer is one that a test made, and it threw an exception.</summary>
    Failed = 6,
}
