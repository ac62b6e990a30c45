using Microsoft.Extensions.Logging.Abstractions;
using Mux.TestSupport.Transports;
using Mux.Transports;
using Mux.Transports.Epoll;

namespace Mux.Core.Tests.Transports.Epoll;

/// <summary>The transports that a test makes end with it: each has loops, and so threads and handles.</summary>
public abstract class EpollConformanceTests : TransportConformanceTests, IDisposable
{
    private readonly List<EpollTransport> _transports = [];

    public void Dispose()
    {
        foreach (var transport in _transports) transport.Dispose();
        GC.SuppressFinalize(this);
    }

    protected sealed override ITransport CreateTransport()
    {
        Assert.SkipUnless(EpollTransport.IsSupported, "Linux only.");
        var transport = new EpollTransport(Options(), NullLogger.Instance, TimeProvider.System);
        _transports.Add(transport);
        return transport;
    }

    protected virtual EpollTransportOptions Options() => new() { LoopCount = new EpollTransportOptions().LoopCount };
}
