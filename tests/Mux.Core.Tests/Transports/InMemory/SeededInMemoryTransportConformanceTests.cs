using Mux.TestSupport.Transports;
using Mux.Transports;
using Mux.Transports.InMemory;

namespace Mux.Core.Tests.Transports.InMemory;

/// <summary>Small pipes, and deliveries of random size.</summary>
[Collection(nameof(TransportTests))]
public sealed class SeededInMemoryTransportConformanceTests : TransportConformanceTests
{
    protected override ITransport CreateTransport() =>
        new InMemoryTransport(new InMemoryTransportOptions { CapacityBytes = 5_000, MaxDeliveryBytes = 1_000, Seed = TestSeed.Next() });

    protected override MuxAddress FreeAddress() => MuxAddress.Parse("mux://memory:0");
}
