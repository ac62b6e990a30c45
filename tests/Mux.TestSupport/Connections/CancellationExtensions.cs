using Mux.Engine;

namespace Mux.TestSupport.Connections;

/// <summary>Waiting for tokens of handlers, which fire on the thread pool.</summary>
internal static class CancellationExtensions
{
    /// <exception cref="TimeoutException">It did not fire within 30 s.</exception>
    public static async Task FiresAsync(this InboundCancellation cancellation)
    {
        var fired = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var registration = cancellation.Token.Register(() => fired.TrySetResult());
        try
        {
            await fired.Task.WaitAsync(TimeSpan.FromSeconds(30));
        }
        catch (TimeoutException)
        {
            throw new TimeoutException("Waited 30 s for the token of a handler to fire.");
        }
    }
}
