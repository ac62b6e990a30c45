namespace Mux.Server;

/// <summary>
/// The time for which a server that leaves still serves. It passes once, however many callers wait for it, and ends early for all of them when one cannot wait:
/// the server then stops. Safe for concurrent use.
/// </summary>
/// <param name="length">The length; 0 ends at once.</param>
/// <param name="time">Measures it.</param>
internal sealed class StopDelay(TimeSpan length, TimeProvider time)
{
    private readonly TaskCompletionSource _end = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _isPassing; // 0 or 1

    /// <summary>The length; 0 or more.</summary>
    public TimeSpan Length => length;

    /// <summary>Starts the time if nothing has, and waits for its end.</summary>
    /// <param name="cancellationToken">Ends the time for all callers, without an exception.</param>
    public async Task WaitAsync(CancellationToken cancellationToken)
    {
        if (Interlocked.Exchange(ref _isPassing, 1) == 0) _ = PassAsync();
        try
        {
            await _end.Task.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            End();
        }
    }

    /// <summary>Ends the time for all callers that wait, or will wait.</summary>
    public void End() => _end.TrySetResult();

    private async Task PassAsync()
    {
        if (length > TimeSpan.Zero)
        {
            using var early = new CancellationTokenSource();
            await Task.WhenAny(Task.Delay(length, time, early.Token), _end.Task).ConfigureAwait(false);
            await early.CancelAsync().ConfigureAwait(false); // a timer would keep the server in memory
        }

        End();
    }
}
