namespace Mux;

/// <summary>The state of a server. A server never returns to an earlier state.</summary>
public enum MuxServerState
{
    /// <summary>Created: accepts services but no connections.</summary>
    Created = 0,

    /// <summary>Started: accepts connections.</summary>
    Serving = 1,

    /// <summary>
    /// Stopping or stopped. During <see cref="MuxServerOptions.StopDelay"/> the server still accepts connections and calls. Then it accepts no new connections,
    /// and closes each open one when its calls have ended.
    /// </summary>
    Draining = 2,
}
