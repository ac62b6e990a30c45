using Mux.Discovery;

namespace Mux.Client;

/// <summary>What a router needs beyond the settings of a channel.</summary>
internal sealed record RouterSettings
{
    /// <summary>The settings of the channel. They name no address.</summary>
    public required ChannelSettings Channel { get; init; }

    /// <summary>Reports the endpoints.</summary>
    public required IEndpointSource Source { get; init; }

    /// <summary>Makes the settings of the connections to one address, whose scheme decides the transport.</summary>
    public required Func<MuxAddress, ChannelSettings> SettingsOf { get; init; }

    /// <summary>How calls are spread.</summary>
    public required BalancingSettings Balancing { get; init; }

    /// <inheritdoc cref="MuxChannelOptions.Seed"/>
    public int? Seed { get; init; }

    /// <summary>Tells this process from others, so that each takes another part of many endpoints.</summary>
    public required string Instance { get; init; }
}
