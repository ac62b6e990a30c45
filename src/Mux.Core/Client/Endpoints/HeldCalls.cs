using Mux.Engine;

namespace Mux.Client;

/// <summary>
/// Ordered calls that wait because earlier ones of their keys are still open on connections that take no more calls. Safe for concurrent use.
/// </summary>
/// <param name="route">The route of the calls.</param>
/// <param name="byteLimit">Most bytes that wait.</param>
internal sealed class HeldCalls(DialingRoute route, long byteLimit) : WaitingCalls(route, byteLimit)
{
    protected override MuxCallPhase Phase => MuxCallPhase.Queue;

    protected override CallFailure Expired { get; } = new(MuxStatus.DeadlineExceeded, MuxExecution.NotExecuted, MuxCallPhase.Queue,
        "The deadline passed while earlier calls of the key were open on a connection that takes no more calls.")
    {
        IsOwnDeadline = true,
    };

    protected override string DescribeFull(int calls, long bytes, long byteLimit) =>
        $"{calls} calls of ordered methods wait with {bytes} bytes for earlier calls of their keys, whose connections take no more calls; MaxQueuedBytes " +
        $"allows {byteLimit}. Make fewer calls concurrently, or raise MaxQueuedBytes of the channel.";
}
