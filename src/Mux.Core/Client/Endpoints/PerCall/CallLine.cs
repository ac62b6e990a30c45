using Mux.Engine;

namespace Mux.Client;

/// <summary>Calls that wait for a connection of their own, in order. Safe for concurrent use.</summary>
/// <param name="route">The route of the calls.</param>
/// <param name="byteLimit">Most bytes that wait.</param>
internal sealed class CallLine(DialingRoute route, long byteLimit) : WaitingCalls(route, byteLimit)
{
    private readonly DialingRoute _route = route;
    private readonly TaskCompletionSource _over = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>True if the channel has as many connections as it may have: only the end of another call gives one to the first that waits.</summary>
    public bool IsAtLimit { get; set; }

    protected override MuxCallPhase Phase => IsAtLimit ? MuxCallPhase.Queue : MuxCallPhase.Connect;

    protected override CallFailure Expired => new(MuxStatus.DeadlineExceeded, MuxExecution.NotExecuted, Phase, IsAtLimit
        ? "The deadline passed while all connections that MaxConnections of the channel allows had a call."
        : "The deadline passed before the request could be sent.")
    {
        IsOwnDeadline = true,
    };

    /// <summary>
    /// Lets no further call wait, and gives those that wait for the end of others some time to get a connection. Those that wait for a dial get none, as on a
    /// channel that shares connections.
    /// </summary>
    /// <param name="time">Microseconds.</param>
    public async Task DrainAsync(long time)
    {
        Close();
        if (!IsAtLimit) return; // the caller takes out what is left
        try
        {
            await _over.Task.WaitAsync(TimeSpan.FromMicroseconds(time), _route.Clock.Provider).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            // The caller takes out what is left.
        }
    }

    protected override string DescribeFull(int calls, long bytes, long byteLimit) =>
        $"{calls} calls wait for a connection with {bytes} bytes; MaxQueuedBytes allows {byteLimit}. Make fewer calls concurrently, or raise MaxConnections " +
        "or MaxQueuedBytes of the channel.";

    protected override void OnOver() => _over.TrySetResult();
}
