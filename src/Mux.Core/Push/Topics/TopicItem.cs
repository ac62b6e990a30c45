using Mux.Contracts;
using Mux.Serialization;

namespace Mux.Push;

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
