using System.Net;
using System.Net.Sockets;
using Mux.Framing;
using Mux.TestSupport.Connections;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;
using Mux.Wire;

namespace Mux.Tests.EndToEnd;

/// <summary>A server tells a caller that reads LEASE how busy it is, without being asked.</summary>
public sealed class LeaseTests : EndToEndTests
{
    [Fact(Timeout = TestLimit)]
    public async Task A_server_tells_its_limit_and_its_load_beside_its_answers()
    {
        var scene = Begin(TransportKind.Tcp);
        scene.ExpectedEnds.Add(Mux.Sessions.Lifecycle.CloseReason.ConnectionLost);
        var server = scene.StartServer(server => server.AddService<IDesk>(new Desk()), options =>
        {
            options.MaxCallsPerConnection = 123;
            options.Limits.PingStrikes = MuxLimit.Unbounded;
            options.Limits.ControlFrames = MuxLimit.Unbounded;
        });
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        await socket.ConnectAsync(IPAddress.Parse(server.Address.Host), server.Address.Port);
        await socket.SendAsync((byte[])[.. Preface.Bytes, .. ScriptedPeer.Hello(new PeerSettings { ReadsLeases = true })]);

        var lease = await ReadLeaseAsync(socket).Within("a LEASE");

        Assert.Equal((123u, 1_000u, LeaseFrame.MostLevel), (lease.MaxOpenCalls, lease.LifetimeMilliseconds, lease.Level));
        Assert.InRange(lease.Utilisation, 0, LeaseFrame.MostUtilisation);
    }

    /// <summary>Sends PINGs, each of which has an answer that a LEASE may follow.</summary>
    private static async Task<LeaseFrame> ReadLeaseAsync(Socket socket)
    {
        var ping = ScriptedPeer.Frame(FrameKind.Ping, default, new byte[8]);
        var buffer = new byte[64 * 1024];
        int begin = Preface.Size, end = 0;
        while (true)
        {
            await socket.SendAsync(ping);
            end += await socket.ReceiveAsync(buffer.AsMemory(end));
            while (end > begin && FrameReader.Read(buffer.AsSpan(begin..end), ProtocolConstants.MaxFramePayload, out var header, out _) == FrameReadResult.Frame)
            {
                var payload = buffer.AsSpan(begin + FrameHeader.Size, header.Length);
                begin += FrameHeader.Size + header.Length;
                if (header.Kind == FrameKind.Lease && LeaseFrame.TryRead(payload, out var lease, out _)) return lease;
            }

            if (begin < buffer.Length / 2) continue;
            buffer.AsSpan(begin..end).CopyTo(buffer);
            (begin, end) = (0, end - begin);
        }
    }
}
