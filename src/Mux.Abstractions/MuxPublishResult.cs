namespace Mux;

/// <summary>What became of an item that was published by <c>MuxTopics.PublishAsync</c>.</summary>
/// <param name="IsTaken">
/// True if the subscribers of all servers get it, as far as they are fast enough: the topics are of this process alone, or their backplane has the item.
/// False if the subscribers of this server alone get it.
/// </param>
/// <param name="Reason">Why other servers do not get it, and what to change; empty if they do.</param>
public readonly record struct MuxPublishResult(bool IsTaken, string Reason);
