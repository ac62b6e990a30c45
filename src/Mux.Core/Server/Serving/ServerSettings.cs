using Microsoft.Extensions.Logging;
using Mux.Calls;
using Mux.Engine;
using Mux.Runtime;
using Mux.Telemetry;
using Mux.Transports;

namespace Mux.Server;

/// <summary>The checked options of a server, in the engine's units.</summary>
internal sealed record ServerSettings
{
    /// <summary>The address to listen on; null for a server without one.</summary>
    public required MuxAddress? Address { get; init; }

    public required ITransport Transport { get; init; }

    public required ConnectionOptions Connection { get; init; }

    public required int MaxConnections { get; init; }

    /// <summary>Most requests of all connections that run.</summary>
    public required long MaxHandlers { get; init; }

    /// <summary>Most requests of the connections of one address that run.</summary>
    public required long MaxHandlersPerAddress { get; init; }

    /// <summary>Microseconds that work may wait for a thread before a part of the calls is refused; <see cref="Clock.Never"/> for no limit.</summary>
    public required long MaxQueueTime { get; init; }

    /// <summary>Most bytes that all connections hold for peers that do not read.</summary>
    public required long MaxUnsentBytes { get; init; }

    /// <summary>Most bytes that peers may make all connections hold.</summary>
    public required long MaxHeldBytes { get; init; }

    /// <summary>Most bytes that the peers of one address may make their connections hold.</summary>
    public required long MaxHeldBytesPerAddress { get; init; }

    /// <summary>Places of the connections that are not open yet.</summary>
    public required AddressPlaces<PendingConnection> Pending { get; init; }

    /// <summary>Microseconds for which a stopping server waits for its open calls.</summary>
    public required long DrainTimeout { get; init; }

    public required Clock Clock { get; init; }

    public required ILogger Logger { get; init; }

    public required MuxMetrics Metrics { get; init; }

    /// <summary>What the clients share, seen as peers.</summary>
    public required PeerEnvironment Callers { get; init; }

    /// <summary>The open connections as peers.</summary>
    public required PeerSet Peers { get; init; }

    /// <summary>Durations of handlers.</summary>
    public required CallDurations Durations { get; init; }

    /// <summary>Tells that code misses the context of its call; null if handlers have one.</summary>
    public MissedContext? MissedContext { get; init; }
}

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
