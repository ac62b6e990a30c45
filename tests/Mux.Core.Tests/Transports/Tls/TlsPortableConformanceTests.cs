using Mux.TestSupport.Transports;
using Mux.TestSupport.Transports.Tls;
using Mux.Transports;
using Mux.Transports.Sockets;

namespace Mux.Core.Tests.Transports.Tls;

/// <summary>The same upon the engine that runs everywhere.</summary>
[Collection(nameof(TransportTests))]
public sealed class TlsPortableConformanceTests : TransportConformanceTests
{
    protected override string? WhyNotFreeOfAllocations => "SslStream allocates for its operations";

    protected override string? WhyNotSentAfterThePeersEnd => "the link below ends with the peer's stream; a peer of Mux that has ended it discards what it reads (PROTOCOL.md 7.1)";

    protected override int ShortLinks => 500; // each is a handshake

    protected override ITransport CreateTransport() => TlsTransports.Create(links: new SocketTransport());

    protected override MuxAddress FreeAddress() => TlsTransports.FreeAddress;
}
