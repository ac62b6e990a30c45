using Mux.TestSupport.Transports;
using Mux.TestSupport.Transports.Tls;
using Mux.Transports;

namespace Mux.Core.Tests.Transports.Tls;

[Collection(nameof(TransportTests))]
public sealed class TlsConformanceTests : TransportConformanceTests
{
    protected override string? WhyNotFreeOfAllocations => "SslStream allocates for its operations";

    protected override string? WhyNotSentAfterThePeersEnd => "the link below ends with the peer's stream; a peer of Mux that has ended it discards what it reads (PROTOCOL.md 7.1)";

    protected override int ShortLinks => 500; // each is a handshake

    protected override ITransport CreateTransport() => TlsTransports.Create();

    protected override MuxAddress FreeAddress() => TlsTransports.FreeAddress;
}
