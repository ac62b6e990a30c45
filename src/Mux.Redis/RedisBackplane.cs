using System.Diagnostics.Metrics;
using System.Globalization;
using Microsoft.Extensions.Logging;
using Mux.Backplanes;
using StackExchange.Redis;

namespace Mux.Redis;

/// <summary>
/// Carries messages of topics and groups between servers by Redis 5 or later. Each channel with a subscriber is a channel of Redis; numbers and
/// retained messages are two keys of it, which expire.
/// </summary>
/// <remarks>
/// <para>Redis is a soft dependency: whether it is there when the backplane is created or not, servers serve. While it cannot be reached or does not
/// answer in
/// <see cref="MuxRedisOptions.Timeout"/>, <see cref="MuxBackplane.State"/> is <see cref="BackplaneState.Interrupted"/>. It is asked again every 250
/// ms.</para>
/// <para>Safe for concurrent use.</para>
/// </remarks>
public sealed class RedisBackplane : MuxBackplane, IAsyncDisposable, IDisposable
{
    private readonly MuxRedisOptions _options;
    private readonly Connector _connector;
    private readonly RequestQueue _queue;
    private readonly RequestPump _pump;
    private readonly Lock _gate = new(); // guards what is below, and the state
    private readonly Dictionary<string, List<RedisSubscription>> _subscriptions = new(StringComparer.Ordinal);
    private readonly CancellationTokenSource _stopping = new();
    private readonly Watch _watch;
    private readonly Task _running;
    private int _life; // of the connection: one more after each interruption
    private bool _isSilent; // takes messages, and does not answer
    private bool _isDisposed;

    /// <summary>Creates a backplane, and begins to connect.</summary>
    /// <param name="options">The options; null for the defaults.</param>
    /// <param name="loggers">Where it logs, in the category <c>Mux.Backplane</c>; null to log nothing.</param>
    /// <param name="meters">Makes the meters, for example of a host; null for those of the process.</param>
    /// <param name="time">Measures pauses; null for the clock of the system.</param>
    /// <exception cref="ArgumentException">An option is not valid; the message names all of them.</exception>
    public RedisBackplane(MuxRedisOptions? options = null, ILoggerFactory? loggers = null, IMeterFactory? meters = null, TimeProvider? time = null)
        : base(Connector.NameOf(options ??= new MuxRedisOptions()), loggers, meters)
    {
        _options = options;
        _connector = new Connector(options, error => Interrupt(error, life: null));
        _queue = new RequestQueue(options.MaxQueuedMessages, options.MaxQueuedBytes);
        _watch = new Watch(this);
        _pump = new RequestPump(_queue, options.Timeout, (error, life) => Interrupt(error, life), OnSilent, OnAnswered);
        time ??= TimeProvider.System;
        _running = Task.WhenAll(
            RunAsync(time), WatchStartAsync(time), _pump.RunAsync(_connector, () => Volatile.Read(ref _life), _stopping.Token));
    }

    /// <summary>
    /// Gets the time after which a Redis that does not answer keeps no local subscriber waiting: an eighth of that after which it counts as away.
    /// </summary>
    internal static TimeSpan PatienceOf(TimeSpan timeout) => timeout / 8;

    /// <inheritdoc/>
    /// <remarks>True: a channel that Redis does not know begins with the microseconds since 1970 instead of 1.</remarks>
    public override bool HasUniqueNumbers => true;

    /// <inheritdoc/>
    public override int Queued => _queue.Messages;

    /// <inheritdoc/>
    public override bool TrySend(string channel, ReadOnlyMemory<byte> message)
    {
        var names = new RedisNames(_options.Prefix, channel);
        return TryAdd(life => new SendRequest(life, names, message, _watch.OnRefused));
    }

    /// <inheritdoc/>
    public override bool TryPublish(string channel, ReadOnlyMemory<byte> message, int retain, long tag) => TryAddItem(channel, message, retain, tag, null);

    /// <inheritdoc/>
    public override bool TryPublish(string channel, ReadOnlyMemory<byte> message, int retain, long tag, Action<MuxPublishResult> onSettled)
    {
        ArgumentNullException.ThrowIfNull(onSettled);
        return TryAddItem(channel, message, retain, tag, onSettled);
    }

    /// <inheritdoc/>
    public override IDisposable Subscribe(string channel, BackplaneSubscriber subscriber, int retained)
    {
        ArgumentNullException.ThrowIfNull(subscriber);
        var subscription = new RedisSubscription(new RedisNames(_options.Prefix, channel), subscriber, retained, _watch);
        int? life = null;
        bool isSilent;
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_isDisposed, this);
            if (!_subscriptions.TryGetValue(channel, out var all)) _subscriptions.Add(channel, all = []);
            all.Add(subscription);
            if (State == BackplaneState.Connected) life = _life; // else it begins with the others
            isSilent = _isSilent;
        }

        if (isSilent) ThreadPool.UnsafeQueueUserWorkItem(static one => one.OnSilent(), subscriber, preferLocal: false);

        if (life is { } current)
        {
            // On the pool, without what flows with the caller: an activity or a context must not live as long as the subscription.
            ThreadPool.UnsafeQueueUserWorkItem(
                static begun => _ = begun.Backplane.BeginAsync(begun.Subscription, begun.Life),
                (Backplane: this, Subscription: subscription, Life: current),
                preferLocal: false);
        }

        return new Ending(() => End(subscription));
    }

    /// <summary>Waits until Redis has what was published, at most <see cref="MuxRedisOptions.Timeout"/>, and ends all subscriptions.</summary>
    /// <returns>A task that completes then.</returns>
    public async ValueTask DisposeAsync()
    {
        lock (_gate)
        {
            if (_isDisposed) return;
            _isDisposed = true;
        }

        if (State != BackplaneState.Interrupted)
        {
            await _queue.WhenEmpty().WaitAsync(_options.Timeout).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing); // a timeout: it is lost
        }

        await _stopping.CancelAsync().ConfigureAwait(false);
        await _running.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        foreach (var subscription in All()) subscription.End(_connector.Subscribing);
        await _connector.DisposeAsync().ConfigureAwait(false);
        _stopping.Dispose();
        _pump.Dispose();
        _queue.Dispose();
    }

    /// <summary>Ends all subscriptions, without waiting for what was published.</summary>
    public void Dispose()
    {
        lock (_gate)
        {
            if (_isDisposed) return;
            _isDisposed = true;
        }

        _stopping.Cancel();
        foreach (var subscription in All()) subscription.End(_connector.Subscribing);
        _connector.Dispose();
    }

    private bool TryAddItem(string channel, ReadOnlyMemory<byte> message, int retain, long tag, Action<MuxPublishResult>? onSettled)
    {
        var names = new RedisNames(_options.Prefix, channel);
        long retainFor = (long)_options.RetainFor.TotalMilliseconds;
        return TryAdd(life => new PublishRequest(life, names, message, retain, retainFor, tag, _watch) { OnSettled = onSettled });
    }

    private bool TryAdd(Func<int, RedisRequest> create)
    {
        bool isOpen, isTaken;
        lock (_gate)
        {
            isOpen = State != BackplaneState.Interrupted && !_isDisposed;
            isTaken = isOpen && _queue.TryAdd(create(_life));
        }

        if (isTaken) OnTaken();
        else OnRefused(queueIsFull: isOpen);
        return isTaken;
    }

    /// <summary>A Redis that is not there from the start keeps no subscriber waiting, either, until it counts as away.</summary>
    private async Task WatchStartAsync(TimeProvider time)
    {
        await Task.Delay(PatienceOf(_options.Timeout), time, _stopping.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        if (State == BackplaneState.Connecting) OnSilent();
    }

    private void OnSilent()
    {
        lock (_gate)
        {
            if (State == BackplaneState.Interrupted || _isDisposed) return;
            _isSilent = true;
        }

        foreach (var one in All()) one.Subscriber.OnSilent();
    }

    private void OnAnswered()
    {
        lock (_gate) _isSilent = false;
    }

    /// <summary>Connects, subscribes to everything, and begins again after each interruption.</summary>
    private async Task RunAsync(TimeProvider time)
    {
        while (!_stopping.IsCancellationRequested)
        {
            int life = Volatile.Read(ref _life);
            try
            {
                await _connector.ProbeAsync(_stopping.Token).ConfigureAwait(false);
                await SubscribeAllAsync(life).ConfigureAwait(false);
                LogState("connected");
                do
                {
                    await _connector.InterruptedAsync(_stopping.Token).ConfigureAwait(false);
                }
                while (life == Volatile.Read(ref _life)); // else it was told of an earlier one
            }
            catch (Exception error) when (!_stopping.IsCancellationRequested)
            {
                Interrupt(error, life);
                await Task.Delay(Connector.Pause, time, _stopping.Token).ConfigureAwait(false);
            }
        }
    }

    private async Task SubscribeAllAsync(int life)
    {
        const int AtOnce = 256;
        while (true)
        {
            List<RedisSubscription> next;
            lock (_gate)
            {
                if (life != _life) throw new IOException("The connection was interrupted again.");
                next = [.. _subscriptions.Values.SelectMany(static all => all).Where(one => one.Life != life).Take(AtOnce)];
                if (next.Count == 0)
                {
                    _isSilent = false;
                    TryEnter(BackplaneState.Connected);
                    foreach (var one in _subscriptions.Values.SelectMany(static all => all)) _queue.TryAdd(one.Look(life));
                    return;
                }
            }

            await Task.WhenAll(next.Select(one => one.BeginAsync(_connector.Subscriber, _connector.Subscribing, _options.Timeout, life))).ConfigureAwait(false);
            lock (_gate)
            {
                foreach (var one in next) one.Life = life;
            }
        }
    }

    /// <summary>Makes a subscription while the connection lives.</summary>
    private async Task BeginAsync(RedisSubscription subscription, int life)
    {
        try
        {
            await subscription.BeginAsync(_connector.Subscriber, _connector.Subscribing, _options.Timeout, life).ConfigureAwait(false);
            lock (_gate)
            {
                if (life != _life || _isDisposed) return; // it begins again with the others
                subscription.Life = life;
                _queue.TryAdd(subscription.Look(life));
            }
        }
        catch (Exception error)
        {
            Interrupt(error, life);
        }
    }

    private void End(RedisSubscription subscription)
    {
        lock (_gate)
        {
            if (_subscriptions.TryGetValue(subscription.Names.Name, out var all) && all.Remove(subscription) && all.Count == 0)
                _subscriptions.Remove(subscription.Names.Name);
        }

        subscription.End(_connector.Subscribing);
    }

    private RedisSubscription[] Of(RedisNames names)
    {
        lock (_gate) return _subscriptions.TryGetValue(names.Name, out var all) ? [.. all] : [];
    }

    /// <param name="error">What has happened.</param>
    /// <param name="life">The life in which it has; null for the present one.</param>
    private void Interrupt(Exception error, int? life)
    {
        lock (_gate)
        {
            if (_isDisposed || (life is { } other && other != _life)) return;
            _life++;
            _isSilent = false;
            if (!TryEnter(BackplaneState.Interrupted)) return;
        }

        LogState(InterruptionReason.Of(error, _options.Timeout), error);
        foreach (var one in All()) one.Subscriber.OnInterrupted();
        _connector.OnInterrupted();
    }

    private List<RedisSubscription> All()
    {
        lock (_gate) return [.. _subscriptions.Values.SelectMany(static all => all)];
    }

    private sealed class Watch(RedisBackplane backplane) : IMessageWatch
    {
        public void OnMessage() => backplane.OnReceived();

        public void OnForeign(string channel) => backplane.OnUnreadable(channel, "it is not what a server of Mux writes.");

        public void OnRefused(RedisNames names, string reason) => backplane.OnRejected(names.Name, reason);

        public void OnItemRefused(RedisNames names, long tag)
        {
            foreach (var one in backplane.Of(names)) one.Subscriber.OnRefused(tag);
        }

        public void OnNumbered(RedisNames names, long tag, long number)
        {
            foreach (var one in backplane.Of(names)) one.Subscriber.OnPublished(tag, number);
        }
    }

    private sealed class Ending(Action end) : IDisposable
    {
        private Action? _end = end;

        public void Dispose() => Interlocked.Exchange(ref _end, null)?.Invoke();
    }
}

/// <summary>Says in one sentence why Redis is of no use at present. What the library writes in addition is in the exception, which is logged, too.</summary>
internal static class InterruptionReason
{
    /// <param name="error">What has happened.</param>
    /// <param name="timeout">The time that Redis has to answer.</param>
    /// <returns>A sentence without its full stop.</returns>
    public static string Of(Exception error, TimeSpan timeout) => error switch
    {
        TimeoutException => string.Create(CultureInfo.InvariantCulture, $"Redis has not answered within {timeout.TotalSeconds:0.###} s"),
        RedisServerException refusal => $"Redis answers \"{FirstLine(refusal.Message)}\"",
        RedisConnectionException { FailureType: ConnectionFailureType.AuthenticationFailure } => "Redis refuses the user or the password",
        RedisConnectionException { FailureType: ConnectionFailureType.UnableToConnect or ConnectionFailureType.UnableToResolvePhysicalConnection } =>
            "Redis cannot be reached",
        RedisConnectionException lost => $"the connection to Redis was lost ({lost.FailureType})",
        IOException => FirstLine(error.Message),
        _ => $"a request to Redis has failed ({error.GetType().Name})",
    };

    private static string FirstLine(string text) => text.Split('\n', 2)[0].TrimEnd('\r', ' ', '.');
}
