using Mux.Transports;

namespace Mux.TestSupport.EndToEnd;

/// <summary>Another transport in which all dials go where the test says when they begin, as those to a name or a load balancer do.</summary>
public sealed class Signpost(ITransport inner) : ITransport
{
    private volatile MuxAddress? _target;

    /// <summary>Where dials go; null leaves them theirs.</summary>
    public MuxAddress? Target
    {
        get => _target;
        set => _target = value;
    }

    public Link CreateLink(MuxAddress address) => new SignpostLink(() => inner.CreateLink(_target ?? address));

    public ITransportListener Listen(MuxAddress address, Action<Link> accepted) => inner.Listen(address, accepted);
}
