using System.Net;
using System.Net.Sockets;
using System.Runtime.InteropServices;
using System.Text;

namespace Mux.Transports.Sockets;

/// <summary>Makes sockets and brings dialed and accepted ones into the state a link wants.</summary>
internal sealed class SocketSetup(SocketTransportOptions options)
{
    // From linux/tcp.h.
    private const int TcpProtocolLevel = 6;
    private const int TcpCongestion = 13;
    private const int TcpNotSentLowAt = 25;

    // A peer that vanished without a word is found after 120 + 4 * 15 s. Whoever has open calls asks much sooner by PING; this is for connections without
    // calls, of which nobody else ever asks, and which would hold their place for ever.
    private const int SecondsBeforeProbe = 120;
    private const int SecondsBetweenProbes = 15;
    private const int Probes = 4;

    // Bytes that wait in the system for the peer's window; those in flight do not count. Measured with a peer that reads steadily: the system takes more after
    // every 100-190 KB read, 10 s of a reader of 20 KB/s. With the 4 MB that it takes by itself it is 1.4 MB, 70 s, and the reader passes for one that has
    // stopped.
    private const int MostNotSent = 128 * 1024;

    /// <summary>A socket to dial or listen with, all settings but the per-connection ones applied.</summary>
    /// <exception cref="SocketException">The system has no such address family, or no handles left.</exception>
    /// <exception cref="IOException">An option cannot be applied; the message names it and its value.</exception>
    public Socket Create(EndPoint endPoint)
    {
        bool unix = endPoint.AddressFamily is AddressFamily.Unix;
        var socket = new Socket(endPoint.AddressFamily, SocketType.Stream, unix ? ProtocolType.Unspecified : ProtocolType.Tcp);
        try
        {
            // Before connect and listen, because the window scale is settled by then; accepted sockets inherit all three.
            if (options.SendBufferSize is { } send) socket.SendBufferSize = send;
            if (options.ReceiveBufferSize is { } receive) socket.ReceiveBufferSize = receive;
            if (options.CongestionControl is { } name && !unix) SetCongestionControl(socket, name);
            return socket;
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    /// <summary>
    /// Prepares a connected socket for a link: sends and receives that never block, small frames that never wait, a peer that vanished is found out, and a slow
    /// one is told from one that has stopped.
    /// </summary>
    /// <exception cref="SocketException">The connection is gone already.</exception>
    public static void PrepareConnected(Socket socket)
    {
        socket.Blocking = false;
        if (socket.AddressFamily is AddressFamily.Unix) return; // the system knows when the other process ends

        socket.NoDelay = true;
        socket.SetSocketOption(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveTime, SecondsBeforeProbe);
        socket.SetSocketOption(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveInterval, SecondsBetweenProbes);
        socket.SetSocketOption(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveRetryCount, Probes);
        socket.SetSocketOption(SocketOptionLevel.Socket, SocketOptionName.KeepAlive, true);
        if (!OperatingSystem.IsLinux()) return;
        int most = MostNotSent;
        socket.SetRawSocketOption(TcpProtocolLevel, TcpNotSentLowAt, MemoryMarshal.AsBytes(new ReadOnlySpan<int>(in most)));
    }

    private void SetCongestionControl(Socket socket, string name)
    {
        var option = $"{options.GetType().Name}.{nameof(SocketTransportOptions.CongestionControl)}";
        if (!OperatingSystem.IsLinux()) throw new IOException($"{option} is '{name}': it can be set on Linux only.");
        try
        {
            socket.SetRawSocketOption(TcpProtocolLevel, TcpCongestion, Encoding.ASCII.GetBytes(name));
        }
        catch (SocketException e)
        {
            throw new IOException($"{option} is '{name}': not available here (/proc/sys/net/ipv4/tcp_available_congestion_control lists what is).", e);
        }
    }
}
