using Mux.Transports;

namespace Evidence.Cold;

/// <summary>Counts what a channel dials.</summary>
internal sealed class CountingTransport(ITransport inner) : ITransport
{
    private int _dials;

    public int Dials => Volatile.Read(ref _dials);

    public Link CreateLink(MuxAddress address)
    {
        Interlocked.Increment(ref _dials);
        return inner.CreateLink(address);
    }

    public ITransportListener Listen(MuxAddress address, Action<Link> accepted) => inner.Listen(address, accepted);
}
