using Mux.TestSupport.Transports;
using Mux.TestSupport.Transports.Streams;
using Mux.Transports;

namespace Mux.Core.Tests.Transports.Streams;

[Collection(nameof(TransportTests))]
public sealed class NetworkStreamConformanceTests : TransportConformanceTests
{
    protected override ITransport CreateTransport() => new NetworkStreamTransport();

    protected override MuxAddress FreeAddress() => MuxAddress.Parse("mux://127.0.0.1:0");
}
