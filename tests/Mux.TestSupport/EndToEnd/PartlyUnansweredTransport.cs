using Mux.TestSupport.Transports;
using Mux.Transports;

namespace Mux.TestSupport.EndToEnd;

/// <summary>Another transport, of whose dials some go on for ever.</summary>
/// <param name="inner">What makes the others.</param>
/// <param name="isAnswered">Whether the dial with this number, from 1, to this address is answered.</param>
public sealed class PartlyUnansweredTransport(ITransport inner, Func<long, MuxAddress, bool> isAnswered) : ITransport
{
    private long _dials;

    public Counter Unanswered { get; } = new("dials that nobody answers");

    public Link CreateLink(MuxAddress address)
    {
        if (isAnswered(Interlocked.Increment(ref _dials), address)) return inner.CreateLink(address);
        Unanswered.Add();
        return new UnansweredLink();
    }

    public ITransportListener Listen(MuxAddress address, Action<Link> accepted) => inner.Listen(address, accepted);
}
