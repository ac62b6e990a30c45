namespace Mux.Discovery;

/// <summary>What a channel knows of one of its endpoints at one moment.</summary>
/// <param name="Endpoint">The endpoint, as the source reports it.</param>
public sealed record MuxEndpointStatus(MuxEndpoint Endpoint)
{
    /// <summary>
    /// Gets a value indicating whether a connection takes calls. For a channel that makes a connection for each call: whether the last dial succeeded.
    /// </summary>
    public required bool IsOpen { get; init; }

    /// <summary>
    /// Gets a value indicating whether the endpoint gets calls only while no other can take them: the source reports it as leaving, or its server has said that
    /// it is about to stop.
    /// </summary>
    public bool IsLeaving { get; init; }

    /// <summary>Gets a value indicating whether the endpoint gets no calls for a while because it failed too many.</summary>
    public required bool IsEjected { get; init; }

    /// <summary>Gets the number of calls of this channel that are open there or wait for a connection.</summary>
    public required int Calls { get; init; }

    /// <summary>Gets the number of connections that the channel has to the endpoint or dials: at most its MaxConnections.</summary>
    public int Connections { get; init; }

    /// <summary>Gets why the channel cannot connect; null if it can, or has not tried.</summary>
    public string? Failure { get; init; }
}
