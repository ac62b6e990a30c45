using Mux.TestSupport.Transports;
using Mux.Transports;

namespace Mux.Core.Tests.Transports;

/// <summary>The seam fits one loop that owns many connections.</summary>
[Collection(nameof(TransportTests))]
public sealed class LoopTransportConformanceTests : TransportConformanceTests, IDisposable
{
    private readonly LoopTransport _transport = new();

    public void Dispose() => _transport.Dispose();

    protected override ITransport CreateTransport() => _transport;

    protected override MuxAddress FreeAddress() => MuxAddress.Parse("mux://loop:0");
}
