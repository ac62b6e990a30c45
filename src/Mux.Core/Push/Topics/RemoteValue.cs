using System.Buffers.Binary;
using Mux.Contracts;
using Mux.Serialization;

namespace Mux.Push;

/// <summary>
/// The value of an item of another server. It is decoded when it is first asked for: a server that only passes the bytes on does not look into them. Safe for
/// concurrent use.
/// </summary>
/// <param name="body">The encoded form.</param>
/// <param name="codec">Reads it.</param>
/// <param name="onUnreadable">Told once or more that it cannot be read.</param>
internal sealed class RemoteValue<T>(byte[] body, MessageCodec<T> codec, Action<Exception> onUnreadable)
{
    private volatile Decoded? _decoded; // two threads may decode it, and both values are the same

    /// <summary>False if the bytes are no such item. Throws nothing.</summary>
    public bool IsReadable => _decoded is not null ? _decoded.IsReadable : TryDecode();

    /// <summary>The value; a default one if the bytes are no such item.</summary>
    public T Value => IsReadable ? _decoded!.Value : default!;

    private bool TryDecode()
    {
        try
        {
            _decoded = new Decoded(codec.Decode(body), IsReadable: true);
            return true;
        }
        catch (Exception error) // of a codec: the sender of the bytes chooses which
        {
            _decoded = new Decoded(default!, IsReadable: false);
            onUnreadable(error);
            return false;
        }
    }

    private sealed record Decoded(T Value, bool IsReadable);
}

/// <summary>An item of a topic, with its encoded form for each method that sends it.</summary>
internal sealed class TopicItem<T>
{
    /// <summary>Bytes of the objects of an item in addition to its encoded form.</summary>
    private const int Overhead = 64;

    /// <summary>Bytes that an item counts which no method has encoded: nothing knows its size.</summary>
    private const int UnencodedCost = 256;

    private readonly T _value = default!;
    private readonly RemoteValue<T>? _remote; // of an item that another server has published
    private volatile byte[][] _bodies = []; // by the number of the codec; replaced by a longer one, never changed

    public TopicItem(T value) => _value = value;

    /// <summary>Creates an item of another server.</summary>
    /// <param name="remote">Its value.</param>
    /// <param name="body">Its form by the codec 0.</param>
    public TopicItem(RemoteValue<T> remote, byte[] body)
    {
        _remote = remote;
        _bodies = [body];
    }

    public T Value => _remote is null ? _value : _remote.Value;

    /// <summary>False if it is of another server, and no such item: readers skip it. Any thread.</summary>
    public bool IsReadable => _remote is null || _remote.IsReadable;

    /// <summary>The number that is stamped on it; 0 if items of its type know no numbers. Set before it is added to its topic.</summary>
    public long Number { get; set; }

    /// <summary>Number of codecs that have encoded it. Any thread.</summary>
    public int Codecs => _bodies.Length;

    /// <summary>Bytes that its topic counts for it. Guarded by the lock of the topic.</summary>
    public long Charged { get; private set; }

    /// <summary>Its encoded form.</summary>
    /// <param name="codec">Number of the codec, below <see cref="Codecs"/>.</param>
    public byte[] BodyFor(int codec) => _bodies[codec];

    /// <summary>
    /// Encodes it for the first codecs, as far as they have not done so. By its publisher, or once it is published by several threads: each makes the same.
    /// </summary>
    /// <returns>Number of codecs that have encoded it now.</returns>
    public int Encode(MessageCodec<T>[] codecs, int count)
    {
        byte[][] known = _bodies;
        while (known.Length < count)
        {
            byte[][] bodies = new byte[count][];
            known.CopyTo(bodies, 0);
            for (int i = known.Length; i < count; i++) bodies[i] = Encode(codecs[i]);
            byte[][] seen = Interlocked.CompareExchange(ref _bodies, bodies, known);
            if (seen == known) return count - known.Length;
            known = seen;
        }

        return 0;
    }

    /// <summary>Counts what it keeps now. Under the lock of its topic.</summary>
    /// <returns>The bytes that it counts.</returns>
    public long Charge()
    {
        byte[][] bodies = _bodies;
        long bytes = Overhead;
        foreach (byte[] body in bodies) bytes += body.Length;
        return Charged = bodies.Length == 0 ? UnencodedCost : bytes;
    }

    /// <summary>Drops what was encoded: the value has changed, before it was published.</summary>
    public void Reset() => _bodies = [];

    private byte[] Encode(MessageCodec<T> codec)
    {
        var buffer = MessageBuffer.Rent();
        try
        {
            var writer = buffer.CreateWriter();
            codec.Encode(ref writer, Value);
            return writer.Written.ToArray();
        }
        finally
        {
            buffer.Return();
        }
    }
}

/// <summary>
/// What stands before an item on its way between servers: <c>MXT1</c>, the origin (8 bytes), the number of the item at its origin (8) and a hash of all of it
/// (8), little-endian. The hash finds foreign bytes; it protects from no attacker.
/// </summary>
internal static class TopicEnvelope
{
    public const int HeaderLength = 28;

    private const int OriginAt = 4, CountAt = 12, HashAt = 20;

    private static ReadOnlySpan<byte> Magic => "MXT1"u8;

    /// <summary>Makes a message, without the number of the item.</summary>
    public static byte[] Create(ulong origin, ReadOnlySpan<byte> item)
    {
        byte[] message = new byte[HeaderLength + item.Length];
        Magic.CopyTo(message);
        BinaryPrimitives.WriteUInt64LittleEndian(message.AsSpan(OriginAt), origin);
        item.CopyTo(message.AsSpan(HeaderLength));
        BinaryPrimitives.WriteUInt64LittleEndian(message.AsSpan(HashAt), StableHash.Of(item, origin)); // of the number later
        return message;
    }

    /// <summary>Writes the number of the item. Costs no second look at the item, so it may be done under a lock.</summary>
    public static void Number(byte[] message, long count)
    {
        var hash = message.AsSpan(HashAt);
        BinaryPrimitives.WriteInt64LittleEndian(message.AsSpan(CountAt), count);
        BinaryPrimitives.WriteUInt64LittleEndian(hash, StableHash.Combine(BinaryPrimitives.ReadUInt64LittleEndian(hash), (ulong)count));
    }

    /// <summary>Reads a message.</summary>
    /// <param name="number">Its number in its channel.</param>
    /// <param name="message">The bytes, which may be foreign.</param>
    /// <param name="arrival">What it holds.</param>
    /// <returns>False if no server of Mux has written it.</returns>
    public static bool TryRead(long number, ReadOnlyMemory<byte> message, out TopicArrival arrival)
    {
        var bytes = message.Span;
        arrival = default;
        if (bytes.Length < HeaderLength || !bytes.StartsWith(Magic)) return false;
        ulong origin = BinaryPrimitives.ReadUInt64LittleEndian(bytes[OriginAt..]);
        long count = BinaryPrimitives.ReadInt64LittleEndian(bytes[CountAt..]);
        ulong hash = StableHash.Combine(StableHash.Of(bytes[HeaderLength..], origin), (ulong)count);
        if (hash != BinaryPrimitives.ReadUInt64LittleEndian(bytes[HashAt..])) return false;
        arrival = new TopicArrival(number, origin, count, message[HeaderLength..]);
        return true;
    }
}
