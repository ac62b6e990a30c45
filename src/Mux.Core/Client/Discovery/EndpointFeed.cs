using Microsoft.Extensions.Logging;
using Mux.Discovery;
using Mux.Runtime;
using Mux.Telemetry;

namespace Mux.Client;

/// <summary>
/// Watches one source for one channel: hands over each set that differs from the one before, and watches the source again when it has failed. Sources are code
/// of users and of other systems. Whatever one does, the channel keeps its last endpoints and its disposal does not wait. Safe for concurrent use.
/// </summary>
internal sealed class EndpointFeed : IAsyncDisposable
{
    /// <summary>Most sets taken in one second: a source without a pause must not keep a core busy.</summary>
    private const int MaxSetsPerSecond = 100;

    private readonly IEndpointSource _source;
    private readonly Clock _clock;
    private readonly FeedLog _log;
    private readonly Action<EndpointSet> _apply;
    private readonly EndpointRefresh _refresh;
    private readonly WatchBackoff _backoff;
    private readonly ReturnWatch _returns; // of the loop
#pragma warning disable CA2213 // without a timer there is nothing to dispose, and sources may hold its token for longer
    private readonly CancellationTokenSource _stop = new();
#pragma warning restore CA2213
    private readonly Lock _gate = new();
    private readonly TaskCompletionSource _idle = new(TaskCreationOptions.RunContinuationsAsynchronously); // set when stopped and no set is being applied
    private bool _isApplying; // under the lock
    private bool _isStopped; // under the lock
    private EndpointSet? _last; // of the loop
    private long _secondBegan; // of the loop
    private int _setsInSecond; // of the loop
    private volatile Exception? _lastFailure;
    private long _changed, _unchanged, _failed; // written by the loop

    /// <param name="source">The source.</param>
    /// <param name="time">Measures pauses.</param>
    /// <param name="logger">Logs changes and failures; it does not throw.</param>
    /// <param name="channel">Name of the channel, for logs.</param>
    /// <param name="apply">Gets each new set, one at a time. Must not throw, and must not block on <see cref="DisposeAsync"/>.</param>
    /// <param name="random">Chooses the pauses; null for the random numbers of the process.</param>
    public EndpointFeed(
        IEndpointSource source, TimeProvider time, ILogger logger, string channel, Action<EndpointSet> apply, Random? random = null)
    {
        _source = source;
        _clock = new Clock(time);
        _log = new FeedLog(logger, channel, NameOf(source));
        _apply = apply;
        _refresh = new EndpointRefresh(time);
        _backoff = new WatchBackoff(random ?? Random.Shared);
        _returns = new ReturnWatch(random ?? Random.Shared);
    }

    /// <summary>Called when a watch has failed, with why, before the pause: calls that wait for a first set must not wait for the next attempt.</summary>
    public Action<Exception>? OnFailed { get; init; }

    /// <summary>Gets why there is no set yet, or no newer one; null after a set. Tells calls that wait for a first set what they wait for.</summary>
    public Exception? LastFailure => _lastFailure;

    /// <summary>What the source has done so far. Any thread.</summary>
    public SourceUpdates Updates => new(Volatile.Read(ref _changed), Volatile.Read(ref _unchanged), Volatile.Read(ref _failed));

    /// <summary>Starts to watch. Returns at once: a source may block the thread on which it starts. Called once.</summary>
    public void Start()
    {
        // Unsafe: what flows with the caller, such as an activity, must not live as long as the channel.
        EnginePool.Queue(static feed => _ = feed.RunAsync(), this);
    }

    /// <summary>A connection has failed, so the set may be out of date. The source is told at most once a second. May be called under any lock.</summary>
    public void RequestRefresh() => _refresh.Request();

    /// <summary>
    /// Stops: no set is applied after it. Waits for the set that is being applied, but not for the source, which may ignore its token.
    /// </summary>
    public async ValueTask DisposeAsync()
    {
        lock (_gate)
        {
            _isStopped = true;
            if (!_isApplying) _idle.TrySetResult();
        }

        _ = DropResultAsync(_stop.CancelAsync());
        await _idle.Task.ConfigureAwait(false);
    }

    private async Task RunAsync()
    {
        while (true)
        {
            long began = _clock.Now;
            try
            {
                await WatchAsync().ConfigureAwait(false);
                return; // the last set holds
            }
            catch (Exception error)
            {
                if (_stop.IsCancellationRequested) return;
                _lastFailure = error;
                Volatile.Write(ref _failed, _failed + 1);
                var pause = _backoff.OnFailed(_clock.Now - began);
                _log.OnFailed(error, _last?.Count ?? 0, pause, _clock.Now);
                OnFailed?.Invoke(error);
                await Task.Delay(pause, _clock.Provider, _stop.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            }
        }
    }

    private async Task WatchAsync()
    {
        var watched = _source.WatchAsync(_refresh, _stop.Token) ?? throw new InvalidOperationException("The source returned null instead of sets.");
        var sets = watched.GetAsyncEnumerator(_stop.Token);
        Task<bool>? next = null;
        try
        {
            bool hasReported = false;
            while (await AwaitAsync(next = sets.MoveNextAsync().AsTask()).ConfigureAwait(false))
            {
                Take(sets.Current ?? throw new InvalidOperationException("The source reported null instead of a set."));
                hasReported = true;
                await PaceAsync().ConfigureAwait(false);
            }

            if (!hasReported) throw new InvalidOperationException("The source ended without a set.");
        }
        finally
        {
            // A source that ignores its token is left behind: it ends when it ends.
            var end = EndAsync(sets, next);
            if (!_stop.IsCancellationRequested) await end.WaitAsync(_stop.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    /// <summary>Awaits the next set. Meanwhile a source that asks by time is asked for what is missing since its last one.</summary>
    private async Task<bool> AwaitAsync(Task<bool> next)
    {
        while (_returns.PauseAt(_clock.Now) is var pause && pause != Clock.Never)
        {
            using var over = CancellationTokenSource.CreateLinkedTokenSource(_stop.Token);
            await Task.WhenAny(next, Task.Delay(TimeSpan.FromMicroseconds(pause), _clock.Provider, over.Token)).ConfigureAwait(false);
            await over.CancelAsync().ConfigureAwait(false); // the timer, if the set was first
            if (next.IsCompleted || _stop.IsCancellationRequested) break;
            _refresh.RequestPoll();
        }

        return await next.WaitAsync(_stop.Token).ConfigureAwait(false);
    }

    private void Take(EndpointSet set)
    {
        _returns.OnSet(set.Count, _clock.Now);
        if (set.Equals(_last))
        {
            _lastFailure = null;
            Volatile.Write(ref _unchanged, _unchanged + 1);
            return;
        }

        lock (_gate)
        {
            if (_isStopped) return;
            _isApplying = true;
        }

        try
        {
            _apply(set);
        }
        finally
        {
            lock (_gate)
            {
                _isApplying = false;
                if (_isStopped) _idle.TrySetResult();
            }
        }

        _lastFailure = null;
        Volatile.Write(ref _changed, _changed + 1);
        _log.OnChanged(_last ?? EndpointSet.Empty, set, _clock.Now);
        _last = set;
    }

    private async ValueTask PaceAsync()
    {
        long now = _clock.Now;
        if (_setsInSecond == 0 || now - _secondBegan >= TimeSpan.MicrosecondsPerSecond) (_secondBegan, _setsInSecond) = (now, 0);
        if (++_setsInSecond < MaxSetsPerSecond) return;
        await Task.Delay(EndpointRefresh.MinInterval, _clock.Provider, _stop.Token).ConfigureAwait(false);
        _setsInSecond = 0;
    }

    /// <summary>Ends a watch when its source has come to rest. Does not throw: why the watch ends is known already.</summary>
    private static async Task EndAsync(IAsyncEnumerator<EndpointSet> sets, Task<bool>? next)
    {
        if (next is not null) await ((Task)next).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        try
        {
            await sets.DisposeAsync().ConfigureAwait(false);
        }
        catch (Exception)
        {
            // Of a source that has failed, the first error says more.
        }
    }

    private static async Task DropResultAsync(Task task) => await task.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);

    private static string NameOf(IEndpointSource source)
    {
        try
        {
            if (source.Name is { Length: > 0 } name) return name;
        }
        catch (Exception)
        {
            // The type names it as well.
        }

        return source.GetType().Name;
    }
}

/// <summary>Logs what becomes of one source. A source that flaps or fails for hours must not fill the logs. Not safe for concurrent use.</summary>
/// <param name="logger">Gets the messages; it does not throw.</param>
/// <param name="channel">Name of the channel.</param>
/// <param name="source">Name of the source.</param>
internal sealed class FeedLog(ILogger logger, string channel, string source)
{
    /// <summary>Most endpoints named in one message.</summary>
    private const int MaxNamed = 16;

    private readonly RateLimit _changes = new(TimeSpan.FromSeconds(10));
    private readonly RateLimit _failures = new(TimeSpan.FromMinutes(1));

    public void OnChanged(EndpointSet old, EndpointSet set, long now)
    {
        var level = _changes.TryPass(now, out int others) ? LogLevel.Information : LogLevel.Debug;
        if (!logger.IsEnabled(level)) return;
        var before = old.ToDictionary(endpoint => endpoint.Address);
        int known = set.Count(endpoint => before.ContainsKey(endpoint.Address));
        int equal = set.Count(endpoint => before.TryGetValue(endpoint.Address, out var earlier) && earlier == endpoint);
        var endpoints = Describe(set);
        ClientLog.EndpointsChanged(logger, level, channel, source, set.Count, set.Count - known, old.Count - known, known - equal, endpoints, others);
    }

    public void OnFailed(Exception error, int kept, TimeSpan pause, long now)
    {
        var level = _failures.TryPass(now, out int others) ? LogLevel.Warning : LogLevel.Debug;
        ClientLog.SourceFailed(logger, level, channel, source, kept, (long)pause.TotalMilliseconds, error.Message, others, error);
    }

    private static string Describe(EndpointSet set)
    {
        if (set.Count == 0) return "none";
        var named = string.Join(", ", set.Take(MaxNamed).Select(endpoint => endpoint.IsLeaving ? $"{endpoint.Address} (leaving)" : $"{endpoint.Address}"));
        return set.Count <= MaxNamed ? named : $"{named} and {set.Count - MaxNamed} more";
    }
}

/// <summary>
/// When to ask a source again after its set has become smaller: a server that restarts is missing for seconds, and is
/// to have its share soon after its return, where polls come every 15 s. The pause grows with the time since the loss,
/// to an eighth of it: a server that was away for T is found T/8 after its return, at least a second, and a loss that
/// is for good costs about thirty questions in two minutes. Pure: sizes and times come in. Not safe for concurrent use.
/// </summary>
/// <remarks>
/// By the size, not by the addresses: one pod that replaces another has a new address, and nothing is missing then.
/// </remarks>
/// <param name="random">
/// Makes a pause up to a quarter longer: many clients may have seen the loss at one instant.
/// </param>
internal sealed class ReturnWatch(Random random)
{
    private const long LeastPause = 1_000_000; // microseconds: EndpointRefresh asks no more often
    private const int PartOfAbsence = 8;
    private const double Jitter = 0.25;

    /// <summary>Microseconds after which the pause would be that between polls, 15 s.</summary>
    private const long Longest = 15 * PartOfAbsence * 1_000_000L;

    private int _size; // of the last set
    private int _expected; // of a set that has what is missing
    private long _lostAt = Clock.Never; // of the last loss; never if nothing is missing

    /// <summary>Notes a set of the source.</summary>
    /// <param name="size">Its endpoints.</param>
    /// <param name="now">Microseconds of a <see cref="Clock"/>.</param>
    public void OnSet(int size, long now)
    {
        if (_lostAt != Clock.Never && now - _lostAt >= Longest) End(_size);
        if (size >= _expected) End(size);
        else if (size < _size) _lostAt = now;
        _size = size;
    }

    /// <summary>How long to wait for the source before it is asked.</summary>
    /// <param name="now">Microseconds of a <see cref="Clock"/>.</param>
    /// <returns>Microseconds; <see cref="Clock.Never"/> if it need not be asked.</returns>
    public long PauseAt(long now)
    {
        if (_lostAt == Clock.Never) return Clock.Never;
        long absence = now - _lostAt;
        if (absence >= Longest) return Clock.Never;
        return (long)(Math.Max(LeastPause, absence / PartOfAbsence) * (1 + (Jitter * random.NextDouble())));
    }

    private void End(int expected) => (_expected, _lostAt) = (expected, Clock.Never);
}

/// <summary>
/// Decides how long a feed waits before it watches a failed source again: 1 s and a random part of what is left to 2, 4, 8, 16 and then 30 s, so that the
/// clients of a discovery system that comes back do not ask it all at once. Not safe for concurrent use.
/// </summary>
/// <param name="random">The random part.</param>
internal sealed class WatchBackoff(Random random)
{
    public static readonly TimeSpan MinPause = TimeSpan.FromSeconds(1);
    public static readonly TimeSpan MaxPause = TimeSpan.FromSeconds(30);

    private static readonly long s_longWatch = Clock.Microseconds(MaxPause);

    private int _failures; // in a row

    /// <param name="watched">Microseconds that the watch lasted. After the longest pause or more, earlier failures no longer count.</param>
    /// <returns>Time until the next watch, 1 to 30 s.</returns>
    public TimeSpan OnFailed(long watched)
    {
        if (watched >= s_longWatch) _failures = 0;
        var ceiling = _failures >= 4 ? MaxPause : MinPause * (2 << _failures); // 2 s after the first
        _failures = Math.Min(_failures + 1, 4);
        return MinPause + (ceiling - MinPause) * random.NextDouble();
    }
}
