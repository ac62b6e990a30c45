namespace Mux;

/// <summary>
/// Learns of the connections of a server: <c>MuxServer.AddPeerEvents</c>, and in a host <c>AddPeerEvents</c> and <c>AddPeerService</c>. For one connection, the
/// methods run one after the other, and on no thread that receives.
/// </summary>
public interface IMuxPeerEvents
{
    /// <summary>
    /// A client has connected, and is authenticated if the server asks for that. Calls of the client may run at the same time. If this method throws, the
    /// server logs <c>OnConnectedFailed</c> (1027), fails the open calls of the client, and ends the connection. It tells the client which type has failed,
    /// and with <c>DetailedErrors</c> the exception. The client connects again after 1 s at the earliest.
    /// </summary>
    /// <param name="peer">The client.</param>
    /// <param name="cancellationToken"><see cref="MuxPeer.Closed"/>: cancelled when the connection has ended. Return then.</param>
    ValueTask OnConnectedAsync(MuxPeer peer, CancellationToken cancellationToken) => default;

    /// <summary>
    /// The connection has ended. Runs once if <see cref="OnConnectedAsync"/> has begun, after it has returned, and before what belongs to the connection is
    /// disposed. <see cref="MuxPeer.State{TState}()"/> is of no use any more. The connection waits 10 s for each method that has not returned: then the server
    /// logs <c>ServerCallbackFailed</c> (1016), and the others are told, and what belongs to the connection is disposed, without it. An
    /// <see cref="OnConnectedAsync"/> that returns later is followed by this method then, and one that never returns by nothing.
    /// </summary>
    /// <param name="peer">The client.</param>
    /// <param name="reason">Why it ended, in the words of the metric attribute <c>mux.close.reason</c>, such as <c>ConnectionLost</c> or <c>PeerDrained</c>.
    /// </param>
    ValueTask OnDisconnectedAsync(MuxPeer peer, string reason) => default;
}
