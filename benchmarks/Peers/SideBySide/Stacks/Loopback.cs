using System.Net;
using System.Net.Sockets;
using System.Text;
using Mux.Tool.Serving;

namespace SideBySide.Stacks;

/// <summary>TCP on loopback, alike for all stacks: no delay, and a congestion control that does not pace where the system has one.</summary>
internal static class Loopback
{
    // Half of the handshakes that a Mux server lets one address have open; the same for all.
    private const int DialedAtOnce = 32;

    // From linux/tcp.h: level IPPROTO_TCP, option TCP_CONGESTION.
    private const int TcpLevel = 6;
    private const int TcpCongestion = 13;

    // Does not pace: loopback has no bottleneck whose rate pacing could find.
    private const string Reno = "reno";

    /// <value>Null for the system's choice, where it has no other.</value>
    public static string? Congestion { get; } = CongestionControl.Check(Reno) is null ? Reno : null;

    /// <summary>For sockets that dial, and for those that listen, whose accepted ones inherit it.</summary>
    public static void SetUp(Socket socket)
    {
        socket.NoDelay = true;
        if (Congestion is { } name) socket.SetRawSocketOption(TcpLevel, TcpCongestion, Encoding.ASCII.GetBytes(name));
    }

    public static async Task<Stream> DialAsync(EndPoint server, CancellationToken cancellationToken)
    {
        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
        try
        {
            SetUp(socket);
            await socket.ConnectAsync(server, cancellationToken);
            return new NetworkStream(socket, ownsSocket: true); // as SocketsHttpHandler does by itself
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    /// <summary>A handler as it is by default, on sockets as all stacks have them.</summary>
    public static SocketsHttpHandler Handler() => new()
    {
        ConnectCallback = static async (context, cancellationToken) => await DialAsync(context.DnsEndPoint, cancellationToken),
    };

    /// <summary>Makes connections, some at a time.</summary>
    public static async Task<T[]> ConnectAsync<T>(int count, Func<Task<T>> connect)
    {
        var made = new List<T>(count);
        while (made.Count < count) made.AddRange(await Task.WhenAll(Enumerable.Range(0, Math.Min(DialedAtOnce, count - made.Count)).Select(_ => connect())));
        return [.. made];
    }
}
