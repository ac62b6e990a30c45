using Mux.TestSupport.Transports;
using Mux.Transports;
using Mux.Transports.InMemory;

namespace Mux.Core.Tests.Transports.InMemory;

[Collection(nameof(TransportTests))]
public sealed class InMemoryTransportConformanceTests : TransportConformanceTests
{
    protected override ITransport CreateTransport() => new InMemoryTransport();

    protected override MuxAddress FreeAddress() => MuxAddress.Parse("mux://memory:0");
}
