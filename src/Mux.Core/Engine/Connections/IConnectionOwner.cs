using Mux.Contracts;
using Mux.Protocol;
using Mux.Runtime;

namespace Mux.Engine;

/// <summary>The owner of a connection, notified of its life: a channel or a server. No member is called under a lock, and none may throw.</summary>
internal interface IConnectionOwner : IWorkOwner
{
    /// <summary>The handshake is done, and calls may run.</summary>
    void OnOpened(Connection connection);

    /// <summary>
    /// The connection accepts no new calls, because one side drains. If that is the peer, unsent calls follow by <see cref="OnWithdrawn"/>. Called once for
    /// each side.
    /// </summary>
    void OnDraining(Connection connection, bool byPeer);

    /// <summary>
    /// The peer said how many calls it takes and how busy it is. The connection itself keeps to the number, unless it is 0: the owner then sends calls to
    /// others, if there are any. In the turn, which must not wait.
    /// </summary>
    void OnLease(Connection connection, in LeaseFrame lease)
    {
        // Of use to an owner that chooses between peers.
    }

    /// <summary>Gives back a call that this connection has not sent. The owner starts it elsewhere or fails it, and owns the memory of its body.</summary>
    void OnWithdrawn(Connection connection, OutgoingCall call);

    /// <summary>
    /// True if the owner may send calls elsewhere that this connection had not sent when it ended: they come by <see cref="OnUnsent"/>. False: they fail. Never
    /// changes.
    /// </summary>
    bool TakesUnsentCalls => false;

    /// <summary>
    /// Gives back a call that the connection had not sent when it ended, after <see cref="OnEnded"/>. The owner starts it elsewhere or fails it, counts it, and
    /// owns the memory of its request (<see cref="OutgoingCall.Body"/> or <see cref="OutgoingCall.Bulk"/>).
    /// </summary>
    /// <param name="connection">The connection.</param>
    /// <param name="call">The call.</param>
    /// <param name="failure">Its failure, if it is not sent elsewhere.</param>
    void OnUnsent(Connection connection, OutgoingCall call, CallFailure failure) => OnWithdrawn(connection, call);

    /// <summary>Creates what user code sees of a connection, when it is first asked for. If two threads ask at once, one of two objects is dropped.</summary>
    MuxPeer? CreateCaller(Connection connection) => null;

    /// <summary>User code threw where no call receives the exception: in a callback of a cancelled token.</summary>
    void OnUserCodeFailed(Connection connection, Exception error);

    /// <summary>A callback that is a parameter of a call of this side threw. See <see cref="Calls.CallRoute.OnCallbackFailed"/>.</summary>
    void OnCallbackFailed(Connection connection, MethodDescriptor method, string callback, Exception error) => OnUserCodeFailed(connection, error);

    /// <summary>A method has other messages at the peer. In the turn, which must not wait for a log.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="method">The method.</param>
    /// <param name="messages">Its messages that differ, such as "requests".</param>
    void OnContractDiffers(Connection connection, MethodDescriptor method, string messages);

    /// <summary>
    /// User code blocked the receiving thread of the connection so long that another thread continued, or, if <paramref name="refused"/>, would have continued
    /// if there had been one.
    /// </summary>
    void OnBlocked(Connection connection, Placement? code, bool refused);

    /// <summary>The connection ended, and every call is decided. Called once, also after a failed dial.</summary>
    void OnEnded(Connection connection, ConnectionEnd end);

    /// <summary>The link is released. This is the last call for the connection.</summary>
    void OnReleased(Connection connection);
}
