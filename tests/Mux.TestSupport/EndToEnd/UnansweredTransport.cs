using Mux.Transports;

namespace Mux.TestSupport.EndToEnd;

/// <summary>A network in which every packet is lost: dialing goes on for ever.</summary>
public sealed class UnansweredTransport : ITransport
{
    public Link CreateLink(MuxAddress address) => new UnansweredLink();

    public ITransportListener Listen(MuxAddress address, Action<Link> accepted) => throw new NotSupportedException();
}
