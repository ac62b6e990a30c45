using Mux.Transports.Epoll;

namespace Mux.Core.Tests.Transports.Epoll;

/// <summary>Socket buffers so small that most sends are short, and links spread over several loops. Over IPv6.</summary>
[Collection(nameof(TransportTests))]
public sealed class EpollSmallBufferConformanceTests : EpollConformanceTests
{
    protected override EpollTransportOptions Options() => new() { SendBufferSize = 8_192, ReceiveBufferSize = 8_192, LoopCount = 3 };

    protected override MuxAddress FreeAddress() => MuxAddress.Parse("mux://[::1]:0");
}
