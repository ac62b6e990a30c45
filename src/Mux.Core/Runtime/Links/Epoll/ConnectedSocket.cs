using System.Net.Sockets;
using Mux.Transports;

namespace Mux.Runtime;

/// <summary>
/// The socket of a link, used by its file descriptor. Holds one reference to the handle for all users, so that the descriptor stays valid until the last user
/// calls <see cref="Dispose"/>.
/// </summary>
/// <remarks>Never start an asynchronous operation on this socket: the runtime would watch its handle with its own epoll until the socket is closed.</remarks>
internal sealed class ConnectedSocket : IDisposable
{
    private readonly Socket _socket;

    public ConnectedSocket(Socket socket)
    {
        _socket = socket;
        bool isReferenced = false;
        socket.SafeHandle.DangerousAddRef(ref isReferenced);
        Handle = (int)socket.SafeHandle.DangerousGetHandle();
    }

    /// <summary>The file descriptor.</summary>
    public int Handle { get; }

    /// <summary>True if bytes are waiting to be received.</summary>
    public bool HasInput
    {
        get
        {
            try
            {
                return _socket.Available > 0;
            }
            catch (SocketException) // broken
            {
                return false;
            }
        }
    }

    /// <inheritdoc cref="SocketEndPoints.DescribeRemote"/>
    public string DescribeRemote() => SocketEndPoints.DescribeRemote(_socket);

    /// <inheritdoc cref="PeerUser.IdentityOf(Socket)"/>
    public PeerIdentity? DescribePeer() => PeerUser.IdentityOf(_socket);

    /// <summary>Closes the socket. Called exactly once.</summary>
    public void Dispose()
    {
        _socket.SafeHandle.DangerousRelease(); // before Dispose, which would otherwise wait for it
        _socket.Dispose();
    }
}
