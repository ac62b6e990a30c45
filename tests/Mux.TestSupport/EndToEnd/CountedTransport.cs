using Mux.TestSupport.Transports;
using Mux.Transports;

namespace Mux.TestSupport.EndToEnd;

/// <summary>Counts the links of another transport and is otherwise that transport.</summary>
public sealed class CountedTransport(ITransport inner) : ITransport
{
    public Counter Dialed { get; } = new("dialed links");

    public Counter Accepted { get; } = new("accepted links");

    public Link CreateLink(MuxAddress address)
    {
        Dialed.Add();
        return inner.CreateLink(address);
    }

    public ITransportListener Listen(MuxAddress address, Action<Link> accepted) => inner.Listen(address, link =>
    {
        Accepted.Add();
        accepted(link);
    });
}
