using System.Net.Sockets;

namespace Mux.Transports.BeetleX;

/// <summary>Sets the options of a connected socket that BeetleX does not set.</summary>
internal static class ConnectedSocket
{
    // The same as in the socket transport: a peer that vanished is detected after 120 + 4 * 15 s.
    private const int SecondsBeforeProbe = 120;
    private const int SecondsBetweenProbes = 15;
    private const int Probes = 4;

    /// <summary>Makes small frames leave at once, and a vanished peer detectable.</summary>
    /// <returns>False if the connection has already ended.</returns>
    public static bool TryPrepare(Socket socket)
    {
        try
        {
            socket.NoDelay = true;
            socket.SetSocketOption(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveTime, SecondsBeforeProbe);
            socket.SetSocketOption(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveInterval, SecondsBetweenProbes);
            socket.SetSocketOption(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveRetryCount, Probes);
            socket.SetSocketOption(SocketOptionLevel.Socket, SocketOptionName.KeepAlive, true);
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
        catch (ObjectDisposedException)
        {
            return false;
        }
    }
}
