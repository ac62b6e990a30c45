namespace Mux.Discovery;

/// <summary>
/// Tells a source when to ask again for the endpoints: when time has passed, when a connection to one of them has failed,
/// and, if it asks by time, soon after its set has become smaller.
/// </summary>
/// <remarks>Safe for concurrent use, but one source waits at a time.</remarks>
public sealed class EndpointRefresh
{
    /// <summary>A source is not told to ask more often than once a second, however many connections fail.</summary>
    public static readonly TimeSpan MinInterval = TimeSpan.FromSeconds(1);

    /// <summary>The mean time between two looks of a source that asks by time: 15 s.</summary>
    public static readonly TimeSpan PollInterval = TimeSpan.FromSeconds(15);

    /// <summary>The part of the interval by which it is shorter or longer at random.</summary>
    private const double Jitter = 0.2;

    private readonly TimeProvider _time;
    private readonly Lock _gate = new();

    // Under the lock. A wait has a source of its own, so that nothing of it is left when it ends by time.
    private TaskCompletionSource? _wait;
    private bool _asksByTime; // the source that waits
    private bool _isRequested; // since the source has last looked
    private long _toldAt; // when a source was last told to ask

    /// <summary>Creates a refresh.</summary>
    /// <param name="time">Measures the intervals.</param>
    public EndpointRefresh(TimeProvider time)
    {
        ArgumentNullException.ThrowIfNull(time);
        _time = time;
        _toldAt = time.GetTimestamp();
    }

    /// <summary>Asks the source to look again: the set seems to be out of date. Repeated requests count once until the source has looked.</summary>
    public void Request()
    {
        lock (_gate)
        {
            _isRequested = true;
            _wait?.TrySetResult();
        }
    }

    /// <summary>
    /// Asks a source that asks by time to look again before its time. Does nothing while the source looks, and for one that
    /// is told of changes: that would know.
    /// </summary>
    public void RequestPoll()
    {
        lock (_gate)
        {
            if (_asksByTime) _wait?.TrySetResult();
        }
    }

    /// <summary>
    /// Waits until a source that asks by time should look again: after <see cref="PollInterval"/>, give or take a fifth at
    /// random, or as <see cref="WaitForPollAsync(TimeSpan, CancellationToken)"/> says.
    /// </summary>
    /// <param name="random">Keeps many clients from asking at the same instant.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public Task WaitForPollAsync(Random random, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(random);
        return WaitAsync(PollInterval * (1 - Jitter + 2 * Jitter * random.NextDouble()), isPoll: true, cancellationToken);
    }

    /// <summary>
    /// Waits until a source that asks by time should look again: when a connection has failed, and before its time while
    /// servers are missing that its set had. The channel then asks after an eighth to a sixth of the time since the loss.
    /// </summary>
    /// <param name="atMost">The longest wait, at least 1 s.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="ArgumentOutOfRangeException">The wait is less than 1 s.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public Task WaitForPollAsync(TimeSpan atMost, CancellationToken cancellationToken) =>
        WaitAsync(atMost, isPoll: true, cancellationToken);

    /// <summary>Waits until a source that is told of changes should look again, by time or when a connection has failed.</summary>
    /// <param name="atMost">The longest wait, at least 1 s. Sources with an interval of their own pass it, with some randomness.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="ArgumentOutOfRangeException">The wait is less than 1 s.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public Task WaitAsync(TimeSpan atMost, CancellationToken cancellationToken) =>
        WaitAsync(atMost, isPoll: false, cancellationToken);

    private async Task WaitAsync(TimeSpan atMost, bool isPoll, CancellationToken cancellationToken)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(atMost, MinInterval);
        var wait = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        lock (_gate)
        {
            (_wait, _asksByTime) = (wait, isPoll);
            if (_isRequested) wait.SetResult();
        }

        try
        {
            await wait.Task.WaitAsync(atMost, _time, cancellationToken).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            // It is time.
        }
        finally
        {
            lock (_gate)
            {
                // A source that was given up may end its wait after the next one has begun.
                if (_wait == wait) _wait = null;
            }
        }

        TimeSpan early;
        lock (_gate) early = MinInterval - _time.GetElapsedTime(_toldAt);
        if (early > TimeSpan.Zero) await Task.Delay(early, _time, cancellationToken).ConfigureAwait(false);
        lock (_gate)
        {
            _toldAt = _time.GetTimestamp();
            _isRequested = false;
        }
    }
}
