using Mux.Transports;

namespace Mux.Tool.Pinging;

/// <summary>A transport that times how its dialed links connect, and reads what their servers say first. Thread-safe.</summary>
internal sealed class TimedTransport(ITransport inner) : ITransport, IDisposable
{
    private volatile TimedLink? _newest;

    /// <summary>The link that was dialed last; null before.</summary>
    public TimedLink? Newest => _newest;

    public Link CreateLink(MuxAddress address) => _newest = new TimedLink(inner.CreateLink(address));

    public ITransportListener Listen(MuxAddress address, Action<Link> accepted) => inner.Listen(address, accepted);

    public void Dispose() => (inner as IDisposable)?.Dispose();
}
