using System.Diagnostics.CodeAnalysis;
using System.Runtime.InteropServices;
using Google.Protobuf;
using Google.Protobuf.Reflection;

namespace Mux.Serialization.GoogleProtobuf;

/// <summary>
/// Scans received bytes before the library reads them. It checks the nesting of messages, which the library can limit only when it reads from a stream and so
/// copies; the memory that their objects would take; and whether keys were chosen to collide. Lives on the stack of one thread, which must not copy it.
/// </summary>
internal struct PayloadScan
{
    /// <summary>Maximum nesting of messages and groups, including the outermost one.</summary>
    public const int DepthLimit = IPayloadSerializer.MaxDepth;

    /// <summary>
    /// Bytes of objects for each byte of the message. An empty message of any type takes two bytes; in the library, a message with a text and an unknown field
    /// takes fifty times its bytes.
    /// </summary>
    public const int MemoryPerByte = 64;

    /// <summary>Bytes of objects that are always free.</summary>
    public const int FreeMemory = 4 * 1024 * 1024;

    /// <summary>Length of a message below which any collisions cost only a few milliseconds.</summary>
    private const int LeastTooMuch = 16 * 1024;

    // Memory of unknown fields in the library: a table for the first one of a message, an object with lists for every number, and the bytes of every block.
    private const int UnknownSetSize = 256;
    private const int UnknownFieldSize = 144;
    private const int UnknownBlockSize = 64;

    private readonly int _length;
    private Dictionary<MessageShape, KeyCollisions>? _keys;
    private KeyCollisions? _unknown;
    private long _memory;
    private long _copied;

    private PayloadScan(int length) => _length = length;

    /// <summary>
    /// Checks a message. A message that cannot be scanned is rejected: the library cuts lengths to 32 bits and continues where this scan would stop, and a
    /// packed block of eleven bytes with a negative length makes it take all memory.
    /// </summary>
    /// <exception cref="InvalidMessageException"> The bytes are not a message; it is nested too deep; its objects would take far more memory than its bytes;
    /// its keys were chosen to collide; or it repeats a message of a oneof so often that copies would take far more than its bytes.
    /// </exception>
    public static void Check(ReadOnlySpan<byte> message, MessageShape shape)
    {
        var scan = new PayloadScan(message.Length);
        if (!scan.Pass(ref message, shape, endTag: 0, depth: 1))
        {
            throw new InvalidMessageException("The bytes are not a message: a field or a group has no end, or a wire type does not exist.");
        }

        if (scan._unknown?.AreChosen() == true || scan._keys?.Values.Any(static keys => keys.AreChosen()) == true)
        {
            throw new InvalidMessageException("The keys of a map, or the numbers of unknown fields, were chosen to have the same place in a hash table.");
        }
    }

    /// <returns>True if the message ended correctly.</returns>
    private bool Pass(ref ReadOnlySpan<byte> rest, MessageShape shape, uint endTag, int depth)
    {
        Count(shape.Size);
        int unknown = 0;
        long key = 0;
        long choices = 0;
        bool isWhole = endTag == 0;
        while (!rest.IsEmpty)
        {
            if (!TryReadVarint(ref rest, out ulong value)) return false;
            uint tag = (uint)value;
            if (tag == endTag)
            {
                isWhole = true;
                break;
            }

            bool isKnown = shape.TryFind(tag, out var inner);
            if (!isKnown) CountUnknown(tag, ref unknown);
            if (isKnown && shape.Key is { } type && tag >> 3 == 1) key = PeekKey(rest, tag, type);
            int before = rest.Length;
            if (!PassField(ref rest, tag, inner, depth)) return false;
            if (inner is not null && shape.IsChoice(tag)) CountCopied(ref choices, before - rest.Length);
        }

        if (shape.Key is { } keyType && _length >= LeastTooMuch) KeysOf(shape, keyType).Add(key);
        return isWhole;
    }

    private bool PassField(ref ReadOnlySpan<byte> rest, uint tag, MessageShape? inner, int depth)
    {
        switch ((WireFormat.WireType)(tag & 7))
        {
            case WireFormat.WireType.Varint:
                return TryReadVarint(ref rest, out _);
            case WireFormat.WireType.Fixed64:
                return TryTake(ref rest, sizeof(ulong), out _);
            case WireFormat.WireType.Fixed32:
                return TryTake(ref rest, sizeof(uint), out _);
            case WireFormat.WireType.LengthDelimited:
                if (!TryReadVarint(ref rest, out ulong length) || !TryTake(ref rest, length, out var bytes)) return false;
                if (inner is null) return true;
                if (depth == DepthLimit) ThrowTooDeep();
                return Pass(ref bytes, inner, endTag: 0, depth + 1);
            case WireFormat.WireType.StartGroup:
                if (depth == DepthLimit) ThrowTooDeep();
                return Pass(ref rest, inner ?? MessageShape.Unknown, tag + 1, depth + 1);
            default:
                return false;
        }
    }

    private void CountUnknown(uint tag, ref int last)
    {
        int number = (int)(tag >> 3);
        if (last == 0) Count(UnknownSetSize);
        if (number != last)
        {
            Count(UnknownFieldSize);
            if (_length >= LeastTooMuch) (_unknown ??= new KeyCollisions(isLong: false)).Add(number);
        }

        if ((WireFormat.WireType)(tag & 7) is WireFormat.WireType.LengthDelimited or WireFormat.WireType.StartGroup) Count(UnknownBlockSize);
        last = number;
    }

    private void Count(int bytes)
    {
        _memory += bytes;
        if (_memory > FreeMemory + ((long)_length * MemoryPerByte)) ThrowTooMuch();
    }

    // The library rebuilds a repeated message of a oneof from the earlier and the new bytes each time.
    private void CountCopied(ref long earlier, int length)
    {
        _copied += earlier;
        earlier += length;
        if (_copied > FreeMemory + ((long)_length * MemoryPerByte))
        {
            throw new InvalidMessageException("A message of a oneof is repeated so often that merging it would take too long.");
        }
    }

    private KeyCollisions KeysOf(MessageShape entry, FieldType key)
    {
        ref var keys = ref CollectionsMarshal.GetValueRefOrAddDefault(_keys ??= [], entry, out _);
        return keys ??= new KeyCollisions(isLong: key is FieldType.Int64 or FieldType.UInt64 or FieldType.SInt64 or FieldType.Fixed64 or FieldType.SFixed64);
    }

    private static long PeekKey(ReadOnlySpan<byte> rest, uint tag, FieldType type)
    {
        ulong value = 0;
        for (int i = 0; i < ((tag & 7) == (uint)WireFormat.WireType.Fixed64 ? sizeof(ulong) : sizeof(uint)) && i < rest.Length; i++)
        {
            value |= (ulong)rest[i] << (8 * i);
        }

        if ((tag & 7) == (uint)WireFormat.WireType.Varint && !TryReadVarint(ref rest, out value)) return 0;
        return type is FieldType.SInt32 or FieldType.SInt64 ? (long)(value >> 1) ^ -(long)(value & 1) : (long)value;
    }

    private static bool TryTake(ref ReadOnlySpan<byte> rest, ulong length, out ReadOnlySpan<byte> bytes)
    {
        bytes = default;
        if (length > (ulong)rest.Length) return false;
        bytes = rest[..(int)length];
        rest = rest[(int)length..];
        return true;
    }

    private static bool TryReadVarint(ref ReadOnlySpan<byte> rest, out ulong value)
    {
        const int longest = 10;
        value = 0;
        for (int i = 0; i < rest.Length && i < longest; i++)
        {
            value |= (ulong)(rest[i] & 0x7f) << (7 * i);
            if (rest[i] >= 0x80) continue;
            rest = rest[(i + 1)..];
            return true;
        }

        return false;
    }

    [DoesNotReturn]
    private static void ThrowTooDeep() => throw new InvalidMessageException($"Messages are nested more than {DepthLimit} deep.");

    [DoesNotReturn]
    private readonly void ThrowTooMuch() =>
        throw new InvalidMessageException($"The objects of the message would take more than {MemoryPerByte} times its {_length} bytes and {FreeMemory} more.");
}
