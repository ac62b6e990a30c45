using System.Diagnostics.Metrics;

namespace Mux.Diagnostics;

/// <summary>The instruments of groups. Safe for concurrent use.</summary>
internal sealed class GroupInstruments
{
    private readonly NamedReadings<IGroupReadings> _groups = new(MetricNames.GroupNameTag);

    public GroupInstruments(Meter server)
    {
        server.CreateObservableCounter(MetricNames.GroupCalls, () => _groups.Observe(groups => groups.Calls), "{call}", "Calls made to groups.");
        server.CreateObservableCounter(
            MetricNames.GroupDelivered, () => _groups.Observe(groups => groups.Delivered), "{call}", "Calls handed to the connections of members.");
        server.CreateObservableCounter(
            MetricNames.GroupMissed, () => _groups.Observe(groups => groups.Missed), "{call}",
            "Calls that members missed: too many were open, they did not read, or their connections ended.");
        server.CreateObservableUpDownCounter(
            MetricNames.GroupMembers, () => _groups.Observe(groups => groups.Members), "{member}", "Members, each counted for each of its groups.");
        server.CreateObservableUpDownCounter(MetricNames.GroupGroups, () => _groups.Observe(groups => groups.Groups), "{group}", "Groups with members.");
    }

    public void Add(IGroupReadings groups) => _groups.Add(groups);
}
