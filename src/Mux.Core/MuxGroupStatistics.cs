using Mux.Push;

namespace Mux;

/// <summary>
/// Statistics of a <see cref="MuxGroup{TService}"/>, or of all groups of a <see cref="MuxGroups{TKey, TService}"/>: the first three count since its creation,
/// the others are as of now.
/// </summary>
/// <param name="Calls">Number of calls that were made in this process.</param>
/// <param name="Delivered">Number of calls handed to the connections of members, each counted for each member. Calls of other servers are
/// counted, too, if groups are shared.</param>
/// <param name="Missed">Number of calls that members missed, each counted for each member; <see cref="MuxMissReason"/> has the reasons, and the metric
/// <c>mux.group.missed</c> counts by them. Calls of other servers are counted, too, if groups are shared.</param>
/// <param name="Members">Number of members. A peer counts once for each of its groups.</param>
/// <param name="Groups">Number of groups that have members.</param>
/// <param name="Queued">Number of calls that wait until connections of members have room, each counted for each member.</param>
/// <param name="QueuedBytes">Their bytes: the request and 128 bytes for each.</param>
public sealed record MuxGroupStatistics(long Calls, long Delivered, long Missed, int Members, int Groups, int Queued = 0, long QueuedBytes = 0)
{
    internal static MuxGroupStatistics Of(GroupCounters counters) =>
        new(counters.Calls, counters.Delivered, counters.Missed, counters.Members, counters.Groups, counters.Queued, counters.QueuedBytes);
}
