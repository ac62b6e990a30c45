using System.Diagnostics.Metrics;

namespace Mux.Telemetry;

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
            MetricNames.GroupMissed, ObserveMissed, "{call}", "Calls that members missed, by the reason.");
        server.CreateObservableUpDownCounter(
            MetricNames.GroupQueued, () => _groups.Observe(groups => groups.Queued), "{call}", "Calls that wait until connections of members have room.");
        server.CreateObservableUpDownCounter(MetricNames.GroupQueuedBytes, () => _groups.Observe(groups => groups.QueuedBytes), "By", "Their bytes.");
        server.CreateObservableUpDownCounter(
            MetricNames.GroupMembers, () => _groups.Observe(groups => groups.Members), "{member}", "Members, each counted for each of its groups.");
        server.CreateObservableUpDownCounter(MetricNames.GroupGroups, () => _groups.Observe(groups => groups.Groups), "{group}", "Groups with members.");
    }

    public void Add(IGroupReadings groups) => _groups.Add(groups);

    private IEnumerable<Measurement<long>> ObserveMissed() => MissReasons.All.SelectMany(
        reason => _groups.Observe(groups => groups.MissedFor(reason), new(MetricNames.MissReasonTag, MissReasons.NameOf(reason))));
}
