namespace Mux.Discovery;

/// <summary>What has happened to an endpoint of a channel.</summary>
public enum MuxEndpointChange
{
    /// <summary>The source reports the endpoint, and the channel connects to it.</summary>
    Added,

    /// <summary>The source reports it no longer. Its calls finish, and it gets no more.</summary>
    Removed,

    /// <summary>A connection is open, and the endpoint gets calls.</summary>
    Opened,

    /// <summary>Its last connection drains or has ended. The channel connects again.</summary>
    Closed,

    /// <summary>The channel could not connect. It tries again after a pause.</summary>
    ConnectFailed,

    /// <summary>It failed so many calls that it gets none for a while.</summary>
    Ejected,

    /// <summary>It gets calls again after it was ejected.</summary>
    Returned,
}
