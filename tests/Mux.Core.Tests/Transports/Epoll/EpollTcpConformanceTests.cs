namespace Mux.Core.Tests.Transports.Epoll;

[Collection(nameof(TransportTests))]
public sealed class EpollTcpConformanceTests : EpollConformanceTests
{
    protected override MuxAddress FreeAddress() => MuxAddress.Parse("mux://127.0.0.1:0");
}
