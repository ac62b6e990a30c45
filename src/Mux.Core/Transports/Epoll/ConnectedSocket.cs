using System.Net.Sockets;
using Mux.Transports.Sockets;

namespace Mux.Transports.Epoll;

/// <summary>
/// The socket of a link, used by its number. The number is this socket's until <see cref="Dispose"/>, which the last user calls: one reference to its handle is
/// held for all of them.
/// </summary>
/// <remarks>Nothing asynchronous is ever asked of it: the runtime would watch the handle in an epoll of its own until it is closed.</remarks>
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

    /// <summary>What the operating system knows it by.</summary>
    public int Handle { get; }

    /// <summary>Whether bytes wait to be received.</summary>
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

    /// <summary>Once. Closes the socket.</summary>
    public void Dispose()
    {
        _socket.SafeHandle.DangerousRelease(); // before, or disposing would wait for it
        _socket.Dispose();
    }
}
