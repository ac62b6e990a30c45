using System.Buffers.Binary;
using Mux.Contracts;

namespace Mux.Push;

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
