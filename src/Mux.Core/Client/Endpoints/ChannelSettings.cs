using Microsoft.Extensions.Logging;
using Mux.Calls;
using Mux.Contracts;
using Mux.Engine;
using Mux.Telemetry;
using Mux.Transports;

namespace Mux.Client;

/// <summary>The checked options of a channel, in the engine's units.</summary>
internal sealed record ChannelSettings
{
    public required string Name { get; init; }

    /// <summary>The address to dial. Null for the channel of a router, which has the settings of each endpoint made with an address.</summary>
    public required MuxAddress? Address { get; init; }

    /// <summary>The transport of the address; null if there is none.</summary>
    public required ITransport? Transport { get; init; }

    public required ConnectionOptions Connection { get; init; }

    /// <summary>Number of connections, and the fewest if it may grow.</summary>
    public required int Connections { get; init; }

    /// <summary>Most connections. Not above <see cref="Connections"/>: their number is fixed.</summary>
    public int MaxConnections { get; init; }

    /// <summary>Microseconds for which a disposed channel waits for its open calls.</summary>
    public required long DrainTimeout { get; init; }

    /// <summary>Microseconds for which calls that were not sent wait for a server that was lost.</summary>
    public long HoldTime { get; init; }

    public required TimeSpan MaxReconnectDelay { get; init; }

    /// <summary>Spreads pauses. With a seed it is not safe for concurrent use: for simulations.</summary>
    public Random Random { get; init; } = Random.Shared;

    public required RouteSettings Calls { get; init; }

    /// <summary>What the servers share, seen as peers.</summary>
    public required PeerEnvironment Callers { get; init; }

    /// <summary>What servers may call.</summary>
    public IMethodResolver Methods { get; init; } = NoMethods.Instance;

    /// <summary>The keys of calls that it serves one after the other; null if it serves no such methods.</summary>
    public KeyTable? Keys { get; init; }

    /// <summary>The names of <see cref="Methods"/>, for metrics.</summary>
    public IReadOnlyList<MethodDescriptor> Served { get; init; } = [];

    /// <summary>Measures their handlers.</summary>
    public CallDurations? Handlers { get; init; }

    /// <summary>Learns of its connections, and keeps one; null if none is of use without calls.</summary>
    public IConnectionWatch? Kept { get; init; }

    /// <summary>Decide which failed calls are sent again.</summary>
    public CallPolicies Policies { get; init; } = CallPolicies.None;

    /// <summary>Tags that tell its metrics from those of other channels.</summary>
    public required KeyValuePair<string, object?>[] Tags { get; init; }

    public required ILogger Logger { get; init; }

    public required MuxMetrics Metrics { get; init; }
}
