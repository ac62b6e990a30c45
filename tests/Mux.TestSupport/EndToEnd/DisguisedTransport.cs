using Mux.TestSupport.Transports;
using Mux.Transports;

namespace Mux.TestSupport.EndToEnd;

/// <summary>Another transport whose dialed links say that they lead to where the test says. Nothing goes there.</summary>
public sealed class DisguisedTransport(ITransport inner, string remoteAddress) : ITransport
{
    private int _sentBytes;

    /// <summary>What dialed links were given to send.</summary>
    public int SentBytes => Volatile.Read(ref _sentBytes);

    public Link CreateLink(MuxAddress address) => new DisguisedLink(this, inner.CreateLink(address));

    public ITransportListener Listen(MuxAddress address, Action<Link> accepted) => inner.Listen(address, accepted);

    private sealed class DisguisedLink(DisguisedTransport owner, Link inner) : RelayLink(inner)
    {
        public override string RemoteAddress => owner.RemoteAddress;

        public override int Send(ReadOnlySpan<byte> bytes)
        {
            Interlocked.Add(ref owner._sentBytes, bytes.Length);
            return base.Send(bytes);
        }
    }

    private string RemoteAddress => remoteAddress;
}
