using Mux.Engine;

namespace Mux.Client;

/// <summary>Calls of a channel that has learned of no endpoint yet. They wait for the first set. Safe for concurrent use.</summary>
/// <param name="router">The router of the calls.</param>
/// <param name="byteLimit">Most bytes that wait.</param>
internal sealed class UnroutedCalls(EndpointRouter router, long byteLimit) : WaitingCalls(router, byteLimit)
{
    protected override MuxCallPhase Phase => MuxCallPhase.Connect;

    protected override CallFailure Expired => router.UnknownEndpoints(isExpired: true);

    protected override string DescribeFull(int calls, long bytes, long byteLimit) =>
        $"{calls} calls wait for the endpoints of {router.SourceName} with {bytes} bytes; MaxQueuedBytes allows {byteLimit}. Make fewer calls concurrently, " +
        "or raise MaxQueuedBytes of the channel.";
}
