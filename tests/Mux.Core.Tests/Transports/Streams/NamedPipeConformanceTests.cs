using Mux.TestSupport.Transports;
using Mux.Transports;
using Mux.Transports.Streams;

namespace Mux.Core.Tests.Transports.Streams;

[Collection(nameof(TransportTests))]
public sealed class NamedPipeConformanceTests : TransportConformanceTests
{
    protected override ITransport CreateTransport() => new NamedPipeTransport();

    protected override MuxAddress FreeAddress() => MuxAddress.Parse($"mux+pipe://mux-{Guid.NewGuid():N}");
}
