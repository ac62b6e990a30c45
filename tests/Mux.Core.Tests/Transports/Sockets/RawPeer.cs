using System.Net;
using System.Net.Sockets;
using Mux.TestSupport.Transports;
using Mux.Transports;

namespace Mux.Core.Tests.Transports.Sockets;

/// <summary>
/// A link connected to a plain socket, which does what peers in the field do. Disposing waits for the link's end and checks the transport's promises.
/// </summary>
internal sealed class RawPeer : IAsyncDisposable
{
    private RawPeer(Socket socket, LinkProbe probe)
    {
        Socket = socket;
        Probe = probe;
    }

    public Socket Socket { get; }

    public LinkProbe Probe { get; }

    public static async Task<RawPeer> ConnectAsync(ITransport transport, LinkProbe? probe = null)
    {
        probe ??= new LinkProbe("link");
        using var listener = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen(1);
        probe.Start(transport.CreateLink(MuxAddress.Parse($"mux://{listener.LocalEndPoint}")));
        return new RawPeer(await listener.AcceptAsync().Within("the link to connect"), probe);
    }

    /// <summary>Breaks the connection with a reset packet.</summary>
    public void Reset()
    {
        Socket.LingerState = new LingerOption(enable: true, seconds: 0);
        Socket.Dispose();
    }

    public async ValueTask DisposeAsync()
    {
        Socket.Dispose();
        Probe.Close();
        await Probe.Closed.WaitAsync();
        Probe.AssertSound();
    }
}
