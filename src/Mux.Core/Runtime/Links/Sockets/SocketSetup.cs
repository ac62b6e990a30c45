using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Runtime.InteropServices;
using System.Text;
using Mux.Transports.Sockets;

namespace Mux.Runtime;

/// <summary>Creates sockets, and prepares dialed and accepted sockets for links.</summary>
internal sealed class SocketSetup(SocketTransportOptions options)
{
    // From linux/tcp.h.
    private const int TcpProtocolLevel = 6;
    private const int TcpCongestion = 13;
    private const int TcpUserTimeout = 18;
    private const int TcpNotSentLowAt = 25;

    // Finds a peer that vanished, for connections without calls, which would otherwise stay open for ever; those with open calls find out much sooner by PING.
    // After 120 + 4 * 15 s without a TCP_USER_TIMEOUT. With one, Linux ignores the number of probes, and ends the connection when one is unanswered and nothing
    // came for that time (tcp_keepalive_timer): at 135 s after one probe if the timeout is at most that, as it is by default. A lost probe then costs an unused
    // connection, which the next call dials again: cheaper than probes every few seconds on every one.
    private const int SecondsBeforeProbe = 120;
    private const int SecondsBetweenProbes = 15;
    private const int Probes = 4;

    // Unsent bytes that the kernel holds until the peer's window opens; bytes in flight do not count. Measured with a peer that reads steadily: the kernel then
    // accepts more after every 100-190 KB read, which is 10 s of a reader of 20 KB/s. With the default of 4 MB it is 1.4 MB or 70 s, and the reader looks as if
    // it had stopped.
    private const int MostNotSent = 128 * 1024;

    /// <summary>Creates a socket to dial or listen with, and applies all settings except those per connection.</summary>
    /// <exception cref="SocketException">The system does not support the address family or is out of handles.</exception>
    /// <exception cref="IOException">An option cannot be applied; the message names it and its value.</exception>
    public Socket Create(EndPoint endPoint)
    {
        bool unix = endPoint.AddressFamily is AddressFamily.Unix;
        var socket = new Socket(endPoint.AddressFamily, SocketType.Stream, unix ? ProtocolType.Unspecified : ProtocolType.Tcp);
        try
        {
            // Before connect and listen, which fix the window scale; accepted sockets inherit all of them.
            if (options.SendBufferSize is { } send) socket.SendBufferSize = send;
            if (options.ReceiveBufferSize is { } receive) socket.ReceiveBufferSize = receive;
            if (options.CongestionControl is { } name && !unix) SetCongestionControl(socket, name);
            if (options.UnacknowledgedTime is { } time && !unix && OperatingSystem.IsLinux()) SetUserTimeout(socket, time);
            return socket;
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    /// <summary>
    /// Prepares a connected socket for a link, which makes it non-blocking itself: no delay of small frames, detection of vanished peers, and a small kernel
    /// buffer that distinguishes a slow peer from a stopped one.
    /// </summary>
    /// <exception cref="SocketException">The connection is already closed.</exception>
    public static void PrepareConnected(Socket socket)
    {
        if (socket.AddressFamily is AddressFamily.Unix) return; // the kernel knows when the other process ends

        socket.NoDelay = true;
        socket.SetSocketOption(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveTime, SecondsBeforeProbe);
        socket.SetSocketOption(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveInterval, SecondsBetweenProbes);
        socket.SetSocketOption(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveRetryCount, Probes);
        socket.SetSocketOption(SocketOptionLevel.Socket, SocketOptionName.KeepAlive, true);
        if (!OperatingSystem.IsLinux()) return;
        int most = MostNotSent;
        socket.SetRawSocketOption(TcpProtocolLevel, TcpNotSentLowAt, MemoryMarshal.AsBytes(new ReadOnlySpan<int>(in most)));
    }

    private static void SetUserTimeout(Socket socket, TimeSpan time)
    {
        int milliseconds = (int)time.TotalMilliseconds;
        socket.SetRawSocketOption(TcpProtocolLevel, TcpUserTimeout, MemoryMarshal.AsBytes(new ReadOnlySpan<int>(in milliseconds)));
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
            throw new IOException($"{option} is '{name}': not available here. Choose a name in /proc/sys/net/ipv4/tcp_available_congestion_control.", e);
        }
    }
}

/// <summary>The operating system's limit of open files, and so sockets, of this process.</summary>
internal static class OpenFileLimit
{
    /// <summary>Files that a process needs in addition to its connections: assemblies, listeners, logs, the socket engine, outgoing connections.</summary>
    public const int Reserve = 128;

    private const string LimitsFile = "/proc/self/limits";
    private const string Row = "Max open files";

    /// <summary>Reads the soft limit. Null if there is none or it cannot be read.</summary>
    public static long? Read()
    {
        try
        {
            return OperatingSystem.IsLinux() ? Parse(File.ReadLines(LimitsFile)) : null;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    /// <summary>Finds the soft limit in the kernel's table of name, soft limit, hard limit and unit.</summary>
    public static long? Parse(IEnumerable<string> lines)
    {
        var row = lines.FirstOrDefault(line => line.StartsWith(Row, StringComparison.Ordinal));
        var soft = row?[Row.Length..].Split(' ', StringSplitOptions.RemoveEmptyEntries).FirstOrDefault();
        return long.TryParse(soft, NumberStyles.None, CultureInfo.InvariantCulture, out long limit) ? limit : null; // "unlimited" is not a number
    }
}
