namespace Mux.Telemetry;

/// <summary>The servers of a channel at one moment, by what they can do for it. Each counts once.</summary>
/// <param name="Serving">Open, and given calls.</param>
/// <param name="Connecting">Not open: being dialed, or waiting to be.</param>
/// <param name="Ejected">Open, and left out because they failed too many calls.</param>
/// <param name="Leaving">About to stop, as their source or they themselves say.</param>
/// <param name="Ejections">How often one was ejected since the channel was created.</param>
internal readonly record struct EndpointCounts(int Serving, int Connecting, int Ejected, int Leaving, long Ejections)
{
    /// <summary>What their source has done.</summary>
    public SourceUpdates Updates { get; init; }
}
