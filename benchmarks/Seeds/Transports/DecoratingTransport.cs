using Mux.Transports;

namespace Seeds.Transports;

/// <summary>A transport with something between its links and the engine.</summary>
internal sealed class DecoratingTransport(ITransport inner, Func<Link, Link> decorate) : ITransport
{
    public Link CreateLink(MuxAddress address) => decorate(inner.CreateLink(address));

    public ITransportListener Listen(MuxAddress address, Action<Link> accepted) => inner.Listen(address, link => accepted(decorate(link)));
}
