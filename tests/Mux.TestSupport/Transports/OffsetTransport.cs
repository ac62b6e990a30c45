using Mux.Transports;

namespace Mux.TestSupport.Transports;

/// <summary>
/// A transport whose next connection is watched, and cut, stalled or corrupted at one byte of a direction. Everything happens inside the sends of the inner links, so that with a
/// transport that is pumped by the test a run is the same each time.
/// </summary>
public sealed class OffsetTransport(ITransport inner) : ITransport
{
    private SentBytes? _nextDialed;
    private SentBytes? _nextAccepted;

    /// <summary>Takes the next connection.</summary>
    public void Expect(SentBytes byDialer, SentBytes byListener)
    {
        Volatile.Write(ref _nextDialed, byDialer);
        Volatile.Write(ref _nextAccepted, byListener);
    }

    public Link CreateLink(MuxAddress address) => Wrap(inner.CreateLink(address), Interlocked.Exchange(ref _nextDialed, null));

    public ITransportListener Listen(MuxAddress address, Action<Link> accepted) =>
        inner.Listen(address, link => accepted(Wrap(link, Interlocked.Exchange(ref _nextAccepted, null))));

    private static Link Wrap(Link link, SentBytes? sent) => sent is null ? link : new OffsetLink(link, sent);
}
