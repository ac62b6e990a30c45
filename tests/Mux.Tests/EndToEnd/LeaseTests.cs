using System.Net;
using System.Net.Sockets;
using Mux.Engine;
using Mux.Protocol;
using Mux.TestSupport.Connections;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;

namespace Mux.Tests.EndToEnd;

/// <summary>A server tells a caller that reads LEASE how busy it is, without being asked.</summary>
public sealed class LeaseTests : EndToEndTests
{
    private const uint MaxCalls = 123;

    [Fact(Timeout = TestLimit)]
    public async Task A_server_tells_its_limit_and_its_load_beside_its_answers()
    {
        using var socket = (await ConnectAsync()).Socket;

        var lease = await ReadLeaseAsync(socket, pings: true).Within("a LEASE");

        Assert.Equal((MaxCalls, 1_000u, LeaseFrame.MostLevel), (lease.MaxOpenCalls, lease.LifetimeMilliseconds, lease.Level));
        Assert.InRange(lease.Utilisation, 0, LeaseFrame.MostUtilisation);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_server_that_is_about_to_stop_says_so_at_once()
    {
        var (server, socket) = await ConnectAsync();
        using var client = socket;

        server.AnnounceStop();
        LeaseFrame lease;
        do lease = await ReadLeaseAsync(client, pings: false).Within("a LEASE of no calls");
        while (lease.MaxOpenCalls == MaxCalls); // one may have gone before

        Assert.Equal((0u, 30_000u), (lease.MaxOpenCalls, lease.LifetimeMilliseconds));
    }

    private async Task<(MuxServer Server, Socket Socket)> ConnectAsync()
    {
        var scene = Begin(TransportKind.Tcp);
        scene.ExpectedEnds.Add(CloseReason.ConnectionLost);
        var server = scene.StartServer(server => server.AddService<IDesk>(new Desk()), options =>
        {
            options.MaxCallsPerConnection = (int)MaxCalls;
            options.Limits.PingStrikes = MuxLimit.Unbounded;
            options.Limits.ControlFrames = MuxLimit.Unbounded;
        });
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        await socket.ConnectAsync(IPAddress.Parse(server.Address.Host), server.Address.Port);
        await socket.SendAsync((byte[])[.. Preface.Bytes, .. ScriptedPeer.Hello(new PeerSettings { ReadsLeases = true })]);
        await scene.Logs.ReachAsync("ServerConnectionOpened");
        await ReadAsync(socket, new byte[Preface.Size]);
        return (server, socket);
    }

    /// <param name="socket">Its preface is read.</param>
    /// <param name="pings">Whether PINGs are sent, each of which has an answer that a LEASE may follow.</param>
    private static async Task<LeaseFrame> ReadLeaseAsync(Socket socket, bool pings)
    {
        var ping = ScriptedPeer.Frame(FrameKind.Ping, default, new byte[8]);
        var head = new byte[FrameHeader.Size];
        while (true)
        {
            if (pings) await socket.SendAsync(ping);
            await ReadAsync(socket, head);
            var header = FrameHeader.Read(head);
            var payload = new byte[header.Length];
            await ReadAsync(socket, payload);
            if (header.Kind == FrameKind.Lease && LeaseFrame.TryRead(payload, out var lease, out _)) return lease;
        }
    }

    private static async Task ReadAsync(Socket socket, Memory<byte> into)
    {
        for (int read = 0; read < into.Length;)
        {
            int received = await socket.ReceiveAsync(into[read..]);
            Assert.NotEqual(0, received);
            read += received;
        }
    }
}
