using Mux.TestSupport.Transports;

namespace Mux.Transports.BeetleX.Tests;

[Collection(nameof(TransportTests))]
public sealed class BeetleXTransportConformanceTests : TransportConformanceTests
{
    protected override string? WhyNotFreeOfAllocations => "BeetleX's client makes two tasks with every send.";

    protected override string? WhyNotSentAfterThePeersEnd => "BeetleX closes the socket when the peer's stream ends.";

    protected override ITransport CreateTransport() => new BeetleXTransport();

    protected override MuxAddress FreeAddress() => MuxAddress.Parse("mux://127.0.0.1:0");
}
