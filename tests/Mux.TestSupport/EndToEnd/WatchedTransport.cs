using Mux.Transports;

namespace Mux.TestSupport.EndToEnd;

/// <summary>Looks at what is given to the links of another transport, before they have it, and is otherwise that transport.</summary>
public sealed class WatchedTransport(ITransport inner) : ITransport
{
    // PROTOCOL.md sections 2 and 3: a header of eight bytes begins with the length of the payload in three bytes, then five bits of kind.
    private const int HeaderSize = 8, KindMask = 0x1F, Lease = 0x06;

    private int _sends;
    private int _singleFrames;

    /// <summary>Sends of all links.</summary>
    public int Sends => Volatile.Read(ref _sends);

    /// <summary>Those that were one whole frame. LEASE does not count: a server adds it to bytes that it sends anyway, at times of its own.</summary>
    public int SingleFrames => Volatile.Read(ref _singleFrames);

    public Link CreateLink(MuxAddress address) => new WatchedLink(this, inner.CreateLink(address));

    public ITransportListener Listen(MuxAddress address, Action<Link> accepted) => inner.Listen(address, link => accepted(new WatchedLink(this, link)));

    internal void See(ReadOnlySpan<byte> bytes)
    {
        if (IsOneFrame(bytes)) Interlocked.Increment(ref _singleFrames);
        Interlocked.Increment(ref _sends);
    }

    private static bool IsOneFrame(ReadOnlySpan<byte> bytes)
    {
        int frames = 0;
        while (bytes.Length >= HeaderSize)
        {
            int size = HeaderSize + (bytes[0] | bytes[1] << 8 | bytes[2] << 16);
            if (size > bytes.Length) return false;
            if ((bytes[3] & KindMask) != Lease) frames++;
            bytes = bytes[size..];
        }

        return frames == 1 && bytes.IsEmpty;
    }
}
