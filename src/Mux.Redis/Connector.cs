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
    private IConnectionMultiplexer? _connection;

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

    /// <summary>Connects, if it has not yet, and writes something: a Redis that only reads, or is full, is not usable.</summary>
    /// <exception cref="Exception">Redis is not usable.</exception>
    public async Task ProbeAsync(CancellationToken cancellationToken)
    {
        if (_connection is null)
        {
            var connection = _options.Connection
                ?? await ConnectionMultiplexer.ConnectAsync(_options.Parse()).WaitAsync(cancellationToken).ConfigureAwait(false);
            connection.ConnectionFailed += OnConnectionFailed;
            _connection = connection;
            _connected.TrySetResult();
        }

        const long lives = 1_000; // ms
        await Database.ScriptEvaluateAsync(RedisScripts.Publish, _probe.Keys, [string.Empty, 0, lives, _probe.Text], CommandFlags.NoScriptCache)
            .WaitAsync(_options.Timeout, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Completes when the connection was interrupted.</summary>
    public Task InterruptedAsync(CancellationToken cancellationToken) => _interruptions.WaitAsync(cancellationToken);

    public void OnInterrupted() => _interruptions.Release();

    public async ValueTask DisposeAsync()
    {
        Leave();
        if (_options.Connection is null && _connection is not null) await _connection.DisposeAsync().ConfigureAwait(false);
    }

    public void Dispose()
    {
        Leave();
        if (_options.Connection is null) _connection?.Dispose();
    }

    private static string Format(EndPoint server) => server is DnsEndPoint named ? $"{named.Host}:{named.Port}" : server.ToString()!;

    private void Leave()
    {
        if (_connection is not null) _connection.ConnectionFailed -= OnConnectionFailed;
    }

    private void OnConnectionFailed(object? sender, ConnectionFailedEventArgs failed) =>
        _onFailed(failed.Exception ?? new IOException($"The connection to Redis was lost: {failed.FailureType}."));
}
