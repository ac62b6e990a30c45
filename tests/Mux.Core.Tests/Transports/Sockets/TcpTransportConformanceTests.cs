using Mux.TestSupport.Transports;
using Mux.Transports;
using Mux.Transports.Sockets;

namespace Mux.Core.Tests.Transports.Sockets;

[Collection(nameof(TransportTests))]
public sealed class TcpTransportConformanceTests : TransportConformanceTests
{
    protected override ITransport CreateTransport() => new SocketTransport();

    protected override MuxAddress FreeAddress() => MuxAddress.Parse("mux://127.0.0.1:0");
}
