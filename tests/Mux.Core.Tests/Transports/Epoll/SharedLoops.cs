using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Mux.Transports;
using Mux.Transports.Epoll;

namespace Mux.Core.Tests.Transports.Epoll;

/// <summary>The loops that a process shares, for tests that need none of their own.</summary>
internal static class SharedLoops
{
    public static ITransport Transport => With(NullLogger.Instance);

    public static ITransport With(ILogger logger)
    {
        Assert.SkipUnless(EpollTransport.IsSupported, "Linux only.");
        return new EpollTransport(new EpollTransportOptions(), logger, TimeProvider.System);
    }
}
