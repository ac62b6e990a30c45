using Mux.Execution;
using Mux.Sessions.Calls;
using Mux.Sessions.Lifecycle;

namespace Mux.Connections;

/// <summary>Who made a connection and hears of its life: a channel or a server. No member is called under a lock, and none may throw.</summary>
internal interface IConnectionOwner : IWorkOwner
{
    /// <summary>The handshake is done; calls may run.</summary>
    void OnOpened(Connection connection);

    /// <summary>
    /// The connection takes no new calls, because one side drains. If that is the peer, calls that were not sent follow by <see cref="OnWithdrawn"/>. Comes
    /// once for each side.
    /// </summary>
    void OnDraining(Connection connection, bool byPeer);

    /// <summary>
    /// A call that this connection did not send is free to go elsewhere, and the owner's to place or fail, together with the memory of its body.
    /// </summary>
    void OnWithdrawn(Connection connection, OutgoingCall call);

    /// <summary>User code threw where no call could take the exception: a callback of a cancelled token.</summary>
    void OnUserCodeFailed(Connection connection, Exception error);

    /// <summary>
    /// User code kept the thread that received for the connection so long that another one went on with it, or, if <paramref name="refused"/>, would have gone
    /// on if there had been one.
    /// </summary>
    void OnBlocked(Connection connection, Placement? code, bool refused);

    /// <summary>The connection ended: every call is decided. Comes once, also after a failed dial.</summary>
    void OnEnded(Connection connection, ConnectionEnd end);

    /// <summary>The link is released: the last that is heard of the connection.</summary>
    void OnReleased(Connection connection);
}
