using Microsoft.Extensions.Logging;
using Mux.Connections;
using Mux.Diagnostics;
using Mux.Transports;

namespace Mux.Channels;

/// <summary>A channel's options, checked and in the engine's units.</summary>
internal sealed record ChannelSettings
{
    public required string Name { get; init; }

    public required MuxAddress Address { get; init; }

    public required ITransport Transport { get; init; }

    public required ConnectionOptions Connection { get; init; }

    public required int Connections { get; init; }

    public required Clock Clock { get; init; }

    /// <summary>Microseconds each call may take, or <see cref="Clock.Never"/>.</summary>
    public required long Deadline { get; init; }

    /// <summary>Whether calls made in handlers end no later than what these handle.</summary>
    public required bool InheritsDeadlines { get; init; }

    /// <summary>Microseconds a disposed channel waits for its open calls.</summary>
    public required long DrainTimeout { get; init; }

    public required TimeSpan MaxReconnectDelay { get; init; }

    /// <summary>Where continuations run if their contract does not say.</summary>
    public required MuxDispatch Dispatch { get; init; }

    public required ILogger Logger { get; init; }

    public required MuxMetrics Metrics { get; init; }
}
