using Mux.Tool.Load;

namespace Mux.Tool.Reporting.Results;

/// <summary>Items of a method with streams.</summary>
/// <param name="Received">Items of response streams; null for a method without one.</param>
/// <param name="ReceivedPerS">Their number per second.</param>
/// <param name="Sent">Items of request streams; null for a method without one.</param>
/// <param name="SentPerS">Their number per second.</param>
/// <param name="FirstUs">Times from a call to its first item; null for a method without a response stream.</param>
internal sealed record ItemsEntry(long? Received, double? ReceivedPerS, long? Sent, double? SentPerS, LatencyEntry? FirstUs)
{
    public static ItemsEntry Of(ItemsOutcome items) => new(
        items.Received,
        UsageEntry.Rounded(items.ReceivedRate),
        items.Sent,
        UsageEntry.Rounded(items.SentRate),
        items.Received is null ? null : LatencyEntry.Of(items.First));
}
