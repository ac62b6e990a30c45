using Mux.TestSupport.Transports;
using Mux.Transports;
using Mux.Transports.Sockets;

namespace Mux.Core.Tests.Transports;

/// <summary>Without faults the decorator is a transport like any other, so whatever a test sees through it is due to the faults.</summary>
[Collection(nameof(TransportTests))]
public sealed class FaultingTransportConformanceTests : TransportConformanceTests
{
    protected override string? WhyNotFreeOfAllocations => "This transport copies what it moves.";

    protected override ITransport CreateTransport() => new FaultingTransport(new SocketTransport());

    protected override MuxAddress FreeAddress() => MuxAddress.Parse("mux://127.0.0.1:0");
}
