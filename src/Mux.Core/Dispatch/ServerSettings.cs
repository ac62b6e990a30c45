using Microsoft.Extensions.Logging;
using Mux.Connections;
using Mux.Diagnostics;
using Mux.Transports;

namespace Mux.Dispatch;

/// <summary>A server's options, checked and in the engine's units.</summary>
internal sealed record ServerSettings
{
    /// <summary>Null for a server that listens nowhere.</summary>
    public required MuxAddress? Address { get; init; }

    public required ITransport Transport { get; init; }

    public required ConnectionOptions Connection { get; init; }

    public required int MaxConnections { get; init; }

    /// <summary>Microseconds a stopping server waits for its open calls.</summary>
    public required long DrainTimeout { get; init; }

    public required Clock Clock { get; init; }

    public required ILogger Logger { get; init; }

    public required MuxMetrics Metrics { get; init; }

    /// <summary>Of the handlers; told the real address once it is known.</summary>
    public required CallDurations Durations { get; init; }
}
