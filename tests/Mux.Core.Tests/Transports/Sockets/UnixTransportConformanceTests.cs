using Mux.TestSupport.Transports;
using Mux.Transports;
using Mux.Transports.Sockets;

namespace Mux.Core.Tests.Transports.Sockets;

[Collection(nameof(TransportTests))]
public sealed class UnixTransportConformanceTests : TransportConformanceTests
{
    protected override ITransport CreateTransport() => new SocketTransport();

    protected override MuxAddress FreeAddress() => MuxAddress.Parse($"mux+unix://{Path.Combine(Path.GetTempPath(), Path.GetRandomFileName())}.sock");
}
