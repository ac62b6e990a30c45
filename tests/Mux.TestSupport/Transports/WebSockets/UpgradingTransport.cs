using Mux.Transports.Streams;
using Mux.Transports.WebSockets;

namespace Mux.TestSupport.Transports.WebSockets;

/// <summary>WebSockets on both sides without a server for HTTP: the listener answers the one request that opens one.</summary>
public sealed class UpgradingTransport : StreamTransport
{
    private readonly WebSocketTransport _dialing = new();

    protected override void CheckAddress(MuxAddress address) => Assert.Equal(MuxAddress.WebSocketScheme, address.Scheme);

    protected override ValueTask<StreamConnection> ConnectAsync(MuxAddress address, CancellationToken cancellationToken) => _dialing.DialAsync(address, cancellationToken);

    protected override IStreamListener Bind(MuxAddress address) => new UpgradingListener(address);
}
