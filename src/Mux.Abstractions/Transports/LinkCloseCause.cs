namespace Mux.Transports;

/// <summary>The cause of the end of a link.</summary>
public enum LinkCloseCause
{
    /// <summary>
    /// The peer ended its sending direction gracefully. The protocol above decides whether that was expected. Accepted bytes that are not sent yet are lost,
    /// unless <see cref="Link.ShutdownSend"/> was called before.
    /// </summary>
    EndOfStream = 0,

    /// <summary>The connection was never established.</summary>
    ConnectFailed = 1,

    /// <summary>The peer or the network broke the connection.</summary>
    Reset = 2,

    /// <summary>An operation on this side failed.</summary>
    Failed = 3,

    /// <summary><see cref="Link.Close"/> was called.</summary>
    Closed = 4,
}
