using Mux.Transports;

namespace Mux.Tool.Faults;

/// <summary>A transport whose accepted links together commit one fault. Dialed links are not changed.</summary>
internal sealed class FaultTransport(ITransport inner, Fault fault) : ITransport
{
    private readonly FaultPlan _plan = new(fault);

    public Link CreateLink(MuxAddress address) => inner.CreateLink(address);

    public ITransportListener Listen(MuxAddress address, Action<Link> accepted) => inner.Listen(address, link => accepted(new FaultLink(link, _plan)));
}
