using Microsoft.Extensions.Logging;
using Mux.Calls;
using Mux.Diagnostics;
using Mux.Sessions.Setup;
using Mux.Transports;

namespace Mux.Endpoints;

/// <summary>The checked options of a channel, in the engine's units.</summary>
internal sealed record ChannelSettings
{
    public required string Name { get; init; }

    public required MuxAddress Address { get; init; }

    public required ITransport Transport { get; init; }

    public required ConnectionOptions Connection { get; init; }

    public required int Connections { get; init; }

    /// <summary>Microseconds for which a disposed channel waits for its open calls.</summary>
    public required long DrainTimeout { get; init; }

    public required TimeSpan MaxReconnectDelay { get; init; }

    public required RouteSettings Calls { get; init; }

    /// <summary>Tags that tell its metrics from those of other channels.</summary>
    public required KeyValuePair<string, object?>[] Tags { get; init; }

    public required ILogger Logger { get; init; }

    public required MuxMetrics Metrics { get; init; }
}
