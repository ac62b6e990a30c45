using Mux.Contracts;
using Mux.Engine;
using Mux.Runtime;

namespace Mux.Client;

/// <summary>A connection for one call, with the state that its set has of it, guarded by the set's lock. Passes the connection's events on.</summary>
internal sealed class CallConnection : IConnectionOwner
{
    private readonly CallConnections _set;
    private readonly DialingRoute _route;

    public CallConnection(CallConnections set, DialingRoute route, ChannelSettings settings, string endpoint)
    {
        (_set, _route) = (set, route);
        Connection = new Connection(
            FailedLink.OrLinkOf(settings), settings.Connection, this, NoMethods.Instance, route.Clock, accepting: false, endpoint);
    }

    public Connection Connection { get; }

    /// <summary>True if it has opened, or ended before.</summary>
    public bool IsSettled { get; set; }

    /// <summary>True from when it has opened until it has ended.</summary>
    public bool IsOpen { get; set; }

    /// <summary>True while the call that it has opened for is on the way to it: a drain would refuse the call.</summary>
    public bool IsTakingCall { get; set; }

    /// <summary>True if a disposal of the channel waits for its release.</summary>
    public bool IsAwaited { get; set; } = true;

    /// <summary>
    /// True if this thread would receive the end of the connection, and no call needs it. A host that is disposed synchronously in the continuation of a call
    /// blocks this thread: the disposal would wait for the thread, and the thread for the disposal.
    /// </summary>
    public bool CanEndInOwnTurn => Turn.IsOwner(Connection) && Connection.Initiator.Load == 0;

    /// <summary>True if the server has answered its call.</summary>
    public bool HasReplied => Connection.Initiator.TurnTally.Total > 0;

    void IConnectionOwner.OnOpened(Connection connection) => _set.OnOpened(this);

    void IConnectionOwner.OnDraining(Connection connection, bool byPeer)
    {
        if (byPeer) _set.OnPeerDrains(this);
    }

    void IConnectionOwner.OnWithdrawn(Connection connection, OutgoingCall call) => _route.StartAgain(call);

    void IConnectionOwner.OnUserCodeFailed(Connection connection, Exception error) => _route.OnUserCodeFailed(error);

    void IConnectionOwner.OnContractDiffers(Connection connection, MethodDescriptor method, string messages) =>
        _route.OnContractDiffers(connection.PeerPlace, method, messages);

    void IConnectionOwner.OnBlocked(Connection connection, Placement? code, bool refused) => _route.OnBlocked(code, refused);

    void IWorkOwner.OnStalled(WorkStall stall) => _route.OnStalled(stall);

    void IConnectionOwner.OnEnded(Connection connection, ConnectionEnd end) => _set.OnEnded(this, end);

    void IConnectionOwner.OnReleased(Connection connection) => _set.OnReleased(this);
}
