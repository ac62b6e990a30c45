using Mux.Transports;

namespace Mux.Tests.Channels;

/// <summary>Another transport whose dialed links make the server look like one that does not announce how often it may be asked whether it lives (setting 18).</summary>
internal sealed class OlderServerTransport(ITransport inner) : ITransport
{
    public Link CreateLink(MuxAddress address) => new OlderServerLink(inner.CreateLink(address));

    public ITransportListener Listen(MuxAddress address, Action<Link> accepted) => inner.Listen(address, accepted);
}
