namespace Mux;

/// <summary>Where a server stands in its life. It only ever goes on to the next one.</summary>
public enum MuxServerState
{
    /// <summary>It was made, and takes services but no connections.</summary>
    Created = 0,

    /// <summary>It takes connections.</summary>
    Serving = 1,

    /// <summary>It stops or has stopped: it takes no new connections; those that are open end when their calls have.</summary>
    Draining = 2,
}
