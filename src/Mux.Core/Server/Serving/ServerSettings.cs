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
