using Mux.Transports;

namespace Evidence.Turns;

/// <summary>One connection in memory, whose two ends one thread delivers in turns: no system calls, no other threads, nothing to wait for.</summary>
internal sealed class PumpedTransport : ITransport
{
    private Action<Link>? _accepted;

    public PumpedLink? Client { get; private set; }

    public PumpedLink? Server { get; private set; }

    public Link CreateLink(MuxAddress address)
    {
        (Client, Server) = PumpedLink.CreatePair();
        _accepted!(Server);
        return Client;
    }

    public ITransportListener Listen(MuxAddress address, Action<Link> accepted)
    {
        _accepted = accepted;
        return new Listener(address);
    }

    /// <summary>Delivers once in each direction.</summary>
    /// <returns>False if nothing was to be delivered.</returns>
    public bool Pump() => Server!.Deliver() | Client!.Deliver();

    private sealed class Listener(MuxAddress address) : ITransportListener
    {
        public MuxAddress Address => address;

        public void Dispose()
        {
        }
    }
}
