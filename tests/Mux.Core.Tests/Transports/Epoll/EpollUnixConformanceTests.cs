namespace Mux.Core.Tests.Transports.Epoll;

[Collection(nameof(TransportTests))]
public sealed class EpollUnixConformanceTests : EpollConformanceTests
{
    protected override int ShortLinks => 10_000;

    protected override MuxAddress FreeAddress() => MuxAddress.Parse($"mux+unix://{Path.Combine(Path.GetTempPath(), Path.GetRandomFileName())}.sock");
}
