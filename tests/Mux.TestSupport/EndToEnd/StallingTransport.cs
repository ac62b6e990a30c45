using Mux.Transports;

namespace Mux.TestSupport.EndToEnd;

/// <summary>Another transport whose dialed links read nothing while the test says so. Each of them keeps a thread of the pool waiting meanwhile.</summary>
public sealed class StallingTransport(ITransport inner) : ITransport, IDisposable
{
    private readonly ManualResetEventSlim _gate = new(initialState: true);

    public void Stall() => _gate.Reset();

    public void Resume() => _gate.Set();

    public Link CreateLink(MuxAddress address) => new StallingLink(inner.CreateLink(address), _gate);

    public ITransportListener Listen(MuxAddress address, Action<Link> accepted) => inner.Listen(address, accepted);

    /// <summary>After the links are over.</summary>
    public void Dispose() => _gate.Dispose();
}
