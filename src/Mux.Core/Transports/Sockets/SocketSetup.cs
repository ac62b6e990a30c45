using System.Net;
using System.Net.Sockets;
using System.Text;

namespace Mux.Transports.Sockets;

/// <summary>Makes sockets and brings dialed and accepted ones into the state a link wants.</summary>
internal sealed class SocketSetup(SocketTransportOptions options)
{
    // From linux/tcp.h.
    private const int TcpProtocolLevel = 6;
    private const int TcpCongestion = 13;

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

    /// <summary>Prepares a connected socket for a link: sends and receives that never block, small frames that never wait.</summary>
    /// <exception cref="SocketException">The connection is gone already.</exception>
    public static void PrepareConnected(Socket socket)
    {
        socket.Blocking = false;
        if (socket.AddressFamily is not AddressFamily.Unix) socket.NoDelay = true;
    }

    private static void SetCongestionControl(Socket socket, string name)
    {
        const string Option = $"{nameof(SocketTransportOptions)}.{nameof(SocketTransportOptions.CongestionControl)}";
        if (!OperatingSystem.IsLinux()) throw new IOException($"{Option} is '{name}': it can be set on Linux only.");
        try
        {
            socket.SetRawSocketOption(TcpProtocolLevel, TcpCongestion, Encoding.ASCII.GetBytes(name));
        }
        catch (SocketException e)
        {
            throw new IOException($"{Option} is '{name}': not available here (/proc/sys/net/ipv4/tcp_available_congestion_control lists what is).", e);
        }
    }
}
