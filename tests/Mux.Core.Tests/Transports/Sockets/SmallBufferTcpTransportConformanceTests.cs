using Microsoft.Extensions.Logging.Abstractions;
using Mux.TestSupport.Transports;
using Mux.Transports;
using Mux.Transports.Sockets;

namespace Mux.Core.Tests.Transports.Sockets;

/// <summary>Socket buffers so small that most sends are short. Over IPv6.</summary>
[Collection(nameof(TransportTests))]
public sealed class SmallBufferTcpTransportConformanceTests : TransportConformanceTests
{
    protected override ITransport CreateTransport() =>
        new SocketTransport(new SocketTransportOptions { SendBufferSize = 8_192, ReceiveBufferSize = 8_192 }, NullLogger.Instance, TimeProvider.System);

    protected override MuxAddress FreeAddress() => MuxAddress.Parse("mux://[::1]:0");
}
