using System.Net;
using StackExchange.Redis;

namespace Mux.Redis;

/// <summary>The connection to Redis, the backplane's own or the application's. Safe for concurrent use.</summary>
internal sealed class Connector : IAsyncDisposable, IDisposable
{
    /// <summary>Time between two attempts.</summary>
    public static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(250);

    private readonly MuxRedisOptions _options;
    private readonly Action<Exception> _onFailed;
    private readonly RedisNames _probe;
#pragma warning disable CA2213 // it has no handle, and may be released while the connection ends
    private readonly SemaphoreSlim _interruptions = new(0);
#pragma warning restore CA2213
    private readonly TaskCompletionSource _connected = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Lock _gate = new();
    private IConnectionMultiplexer? _connection; // set under the lock
    private bool _isDisposed; // under the lock

    /// <param name="options">Valid options.</param>
    /// <param name="onFailed">Told when a connection is lost.</param>
    public Connector(MuxRedisOptions options, Action<Exception> onFailed)
    {
        (_options, _onFailed) = (options, onFailed);
        _probe = new RedisNames(options.Prefix, "probe");
    }

    /// <summary>Held while subscriptions begin and end.</summary>
    public Lock Subscribing { get; } = new();

    public IDatabase Database => _connection!.GetDatabase();

    public ISubscriber Subscriber => _connection!.GetSubscriber();

    /// <summary>Gets a name without a password, and checks the options before anything else.</summary>
    /// <exception cref="ArgumentException">An option is not valid.</exception>
    public static string NameOf(MuxRedisOptions options)
    {
        var failures = options.Validate().ToList();
        if (failures.Count > 0) throw new ArgumentException($"{nameof(MuxRedisOptions)}: {string.Join(' ', failures)}", nameof(options));
        IEnumerable<EndPoint> servers = options.Connection?.GetEndPoints(configuredOnly: true) ?? [.. options.Parse().EndPoints];
        return $"redis://{string.Join(',', servers.Select(Format))}/{options.Prefix}";
    }

    /// <summary>Completes when there is a connection for the first time, which may be broken.</summary>
    public Task ConnectedAsync(CancellationToken cancellationToken) => _connected.Task.WaitAsync(cancellationToken);

    /// <summary>Connects, if it has not yet, and writes something: a Redis that only reads is not usable.</summary>
    /// <exception cref="Exception">Redis is not usable.</exception>
    public async Task ProbeAsync(CancellationToken cancellationToken)
    {
        if (_connection is null)
        {
            await SetAsync(_options.Connection ?? await ConnectAsync(cancellationToken).ConfigureAwait(false)).ConfigureAwait(false);
            _connected.TrySetResult();
        }

        const long lives = 1_000; // ms
        try
        {
            var answer = Database.ScriptEvaluateAsync(RedisScripts.Publish, _probe.NumberKey, [string.Empty, 0, lives], CommandFlags.NoScriptCache);
            Abandoned.Observe(answer); // it may be late
            await answer.WaitAsync(_options.Timeout, cancellationToken).ConfigureAwait(false);
        }
        catch (RedisServerException error) when (RedisRefusal.IsOfRequest(error))
        {
            // It answers: one that is full still carries calls of groups.
        }
    }

    /// <summary>Completes when the connection was interrupted.</summary>
    public Task InterruptedAsync(CancellationToken cancellationToken) => _interruptions.WaitAsync(cancellationToken);

    public void OnInterrupted() => _interruptions.Release();

    public async ValueTask DisposeAsync()
    {
        if (Leave() is { } own) await own.DisposeAsync().ConfigureAwait(false);
    }

    public void Dispose() => Leave()?.Dispose();

    private static string Format(EndPoint server) => server is DnsEndPoint named ? $"{named.Host}:{named.Port}" : server.ToString()!;

    private static async Task DisposeAsync(Task<ConnectionMultiplexer> connecting)
    {
        await ((Task)connecting).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        if (connecting.IsCompletedSuccessfully) await (await connecting.ConfigureAwait(false)).DisposeAsync().ConfigureAwait(false);
    }

    private async Task<IConnectionMultiplexer> ConnectAsync(CancellationToken cancellationToken)
    {
        var connecting = ConnectionMultiplexer.ConnectAsync(_options.Parse());
        try
        {
            return await connecting.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            _ = DisposeAsync(connecting); // it would connect again and again for ever
            throw;
        }
    }

    /// <exception cref="ObjectDisposedException">The backplane was disposed meanwhile.</exception>
    private async Task SetAsync(IConnectionMultiplexer connection)
    {
        lock (_gate)
        {
            if (!_isDisposed)
            {
                connection.ConnectionFailed += OnConnectionFailed;
                _connection = connection;
                return;
            }
        }

        if (_options.Connection is null) await connection.DisposeAsync().ConfigureAwait(false);
        throw new ObjectDisposedException(nameof(RedisBackplane));
    }

    /// <returns>The connection, if it is the backplane's own.</returns>
    private IConnectionMultiplexer? Leave()
    {
        lock (_gate)
        {
            _isDisposed = true;
            if (_connection is not null) _connection.ConnectionFailed -= OnConnectionFailed;
            return _options.Connection is null ? _connection : null;
        }
    }

    private void OnConnectionFailed(object? sender, ConnectionFailedEventArgs failed) =>
        _onFailed(failed.Exception ?? new IOException($"The connection to Redis was lost: {failed.FailureType}."));
}
