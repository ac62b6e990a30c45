using System.Net.Sockets;

namespace Mux.Transports.BeetleX;

/// <summary>What BeetleX leaves undone on a connected socket.</summary>
internal static class ConnectedSocket
{
    // As the socket transport has it: a peer that vanished without a word is found after 120 + 4 * 15 s.
    private const int SecondsBeforeProbe = 120;
    private const int SecondsBetweenProbes = 15;
    private const int Probes = 4;

    /// <summary>Small frames never wait, and a peer that vanished is found out.</summary>
    /// <returns>False when the connection is gone already.</returns>
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
