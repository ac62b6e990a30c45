using Mux.Transports;

namespace Mux.TestSupport.Transports;

/// <summary>
/// Any transport with faults on demand: every link it makes or accepts is a <see cref="FaultingLink"/>, which behaves like the inner one until told otherwise.
/// </summary>
public sealed class FaultingTransport(ITransport inner) : ITransport
{
    private readonly Lock _gate = new();
    private readonly List<FaultingLink> _links = [];

    /// <summary>Called for every link before anybody else sees it, so that faults can be in place from the first byte.</summary>
    public Action<FaultingLink>? Prepare { get; init; }

    /// <summary>All links made so far, dialed and accepted, in the order in which they were made.</summary>
    public IReadOnlyList<FaultingLink> Links
    {
        get
        {
            lock (_gate) return [.. _links];
        }
    }

    public Link CreateLink(MuxAddress address) => Wrap(inner.CreateLink(address), isDialed: true);

    public ITransportListener Listen(MuxAddress address, Action<Link> accepted) => inner.Listen(address, link => accepted(Wrap(link, isDialed: false)));

    private FaultingLink Wrap(Link link, bool isDialed)
    {
        var faulting = new FaultingLink(link, isDialed);
        lock (_gate) _links.Add(faulting);
        Prepare?.Invoke(faulting);
        return faulting;
    }
}
