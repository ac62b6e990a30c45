namespace Mux.Discovery;

/// <summary>An event in the life of an endpoint of a channel.</summary>
/// <param name="Change">What has happened.</param>
/// <param name="Endpoint">The endpoint, as the source reports it.</param>
public sealed record MuxEndpointEvent(MuxEndpointChange Change, MuxEndpoint Endpoint)
{
    /// <summary>Gets when it happened.</summary>
    public required DateTimeOffset At { get; init; }

    /// <summary>Gets the reason, for people; empty if the change says all.</summary>
    public string Reason { get; init; } = string.Empty;

    /// <summary>Gets the number of earlier events that this reader has missed, because it was slow: a channel keeps 256 of them for each reader.</summary>
    /// <value>0 by default.</value>
    public int Missed { get; init; }
}
