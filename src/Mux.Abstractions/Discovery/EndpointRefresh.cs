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
    private TaskCompletionSource _requested = new(TaskCreationOptions.RunContinuationsAsynchronously); // under the lock
    private TaskCompletionSource? _poll; // under the lock: while a source waits that asks by time
    private long _toldAt; // under the lock: when a source was last told to ask

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
        lock (_gate) _requested.TrySetResult();
    }

    /// <summary>
    /// Asks a source that asks by time to look again before its time. Does nothing while the source looks, and for one that
    /// is told of changes: that would know.
    /// </summary>
    public void RequestPoll()
    {
        lock (_gate) _poll?.TrySetResult();
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
        Task requested;
        lock (_gate)
        {
            requested = _requested.Task;
            if (isPoll)
            {
                _poll = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
                requested = Task.WhenAny(requested, _poll.Task);
            }
        }

        try
        {
            await requested.WaitAsync(atMost, _time, cancellationToken).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            // It is time.
        }
        finally
        {
            lock (_gate) _poll = null;
        }

        TimeSpan early;
        lock (_gate) early = MinInterval - _time.GetElapsedTime(_toldAt);
        if (early > TimeSpan.Zero) await Task.Delay(early, _time, cancellationToken).ConfigureAwait(false);
        lock (_gate)
        {
            _toldAt = _time.GetTimestamp();
            if (_requested.Task.IsCompleted) _requested = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        }
    }
}
