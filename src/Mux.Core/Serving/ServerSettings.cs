using Microsoft.Extensions.Logging;
using Mux.Diagnostics;
using Mux.Sessions.Budgets;
using Mux.Sessions.Setup;
using Mux.Timing;
using Mux.Transports;

namespace Mux.Serving;

/// <summary>A server's options, checked and in the engine's units.</summary>
internal sealed record ServerSettings
{
    /// <summary>Null for a server that listens nowhere.</summary>
    public required MuxAddress? Address { get; init; }

    public required ITransport Transport { get; init; }

    public required ConnectionOptions Connection { get; init; }

    public required int MaxConnections { get; init; }

    /// <summary>Requests that all connections may have unanswered.</summary>
    public required long MaxHandlers { get; init; }

    /// <summary>The same of the connections of one address.</summary>
    public required long MaxHandlersPerAddress { get; init; }

    /// <summary>Bytes that all connections may hold for peers that take none.</summary>
    public required long MaxUnsentBytes { get; init; }

    /// <summary>Bytes that peers may make all connections hold.</summary>
    public required long MaxHeldBytes { get; init; }

    /// <summary>The same of the connections of one address.</summary>
    public required long MaxHeldBytesPerAddress { get; init; }

    /// <summary>Connections that are not open yet.</summary>
    public required PendingHandshakes Pending { get; init; }

    /// <summary>Microseconds a stopping server waits for its open calls.</summary>
    public required long DrainTimeout { get; init; }

    public required Clock Clock { get; init; }

    public required ILogger Logger { get; init; }

    public required MuxMetrics Metrics { get; init; }

    /// <summary>Of the handlers; told the real address once it is known.</summary>
    public required CallDurations Durations { get; init; }
}
