using Mux.Transports;

namespace Mux.TestSupport.EndToEnd;

/// <summary>Looks at what is given to the links of another transport, before they have it, and is otherwise that transport.</summary>
public sealed class WatchedTransport(ITransport inner) : ITransport
{
    private int _sends;
    private int _singleFrames;

    /// <summary>Sends of all links.</summary>
    public int Sends => Volatile.Read(ref _sends);

    /// <summary>Those that were one whole frame.</summary>
    public int SingleFrames => Volatile.Read(ref _singleFrames);

    public Link CreateLink(MuxAddress address) => new WatchedLink(this, inner.CreateLink(address));

    public ITransportListener Listen(MuxAddress address, Action<Link> accepted) => inner.Listen(address, link => accepted(new WatchedLink(this, link)));

    internal void See(ReadOnlySpan<byte> bytes)
    {
        // PROTOCOL.md section 2: eight bytes, of which the first three are the length of what follows.
        if (bytes.Length >= 8 && bytes.Length == 8 + (bytes[0] | bytes[1] << 8 | bytes[2] << 16)) Interlocked.Increment(ref _singleFrames);
        Interlocked.Increment(ref _sends);
    }
}
