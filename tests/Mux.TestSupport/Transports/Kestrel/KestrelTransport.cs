using System.Net;
using Mux.TestSupport.Transports.Streams;
using Mux.Transports.Streams;

namespace Mux.TestSupport.Transports.Kestrel;

/// <summary>TCP over loopback: sockets of Kestrel, without its server, accept; network streams dial.</summary>
public sealed class KestrelTransport : StreamTransport
{
    private readonly NetworkStreamTransport _dialing = new();

    protected override void CheckAddress(MuxAddress address) => Assert.Equal(MuxAddress.TcpScheme, address.Scheme);

    protected override ValueTask<StreamConnection> ConnectAsync(MuxAddress address, CancellationToken cancellationToken) => _dialing.DialAsync(address, cancellationToken);

    protected override IStreamListener Bind(MuxAddress address) => new KestrelListener(new IPEndPoint(IPAddress.Loopback, address.Port));
}
