using System.Buffers.Binary;

namespace Mux.Serialization.Oracles.Wire;

/// <summary>Takes bytes apart that were written as they should be, by the rules of the format alone.</summary>
internal static class WireReading
{
    public static List<WireField> Read(ReadOnlySpan<byte> bytes)
    {
        int position = 0;
        return Read(bytes, ref position, group: 0);
    }

    /// <summary>The items of a packed block.</summary>
    /// <param name="type">How each of them is written.</param>
    public static List<ulong> ReadPacked(ReadOnlySpan<byte> block, WireType type)
    {
        var items = new List<ulong>();
        for (int position = 0; position < block.Length;) items.Add(ReadNumber(block, ref position, type));
        return items;
    }

    private static List<WireField> Read(ReadOnlySpan<byte> bytes, ref int position, int group)
    {
        var fields = new List<WireField>();
        while (position < bytes.Length)
        {
            ulong tag = ReadVarint(bytes, ref position);
            int number = (int)(tag >> 3);
            switch ((WireType)(tag & 7))
            {
                case WireType.EndGroup:
                    return number == group ? fields : throw new FormatException($"The end of group {number} stands in group {group}.");
                case WireType.StartGroup:
                    fields.Add(new WireField(number, WireType.StartGroup, Group: Read(bytes, ref position, number)));
                    break;
                case WireType.Bytes:
                    int length = (int)ReadVarint(bytes, ref position);
                    fields.Add(new WireField(number, WireType.Bytes, Bytes: bytes.Slice(position, length).ToArray()));
                    position += length;
                    break;
                case var type:
                    fields.Add(new WireField(number, type, ReadNumber(bytes, ref position, type)));
                    break;
            }
        }

        return fields;
    }

    private static ulong ReadNumber(ReadOnlySpan<byte> bytes, ref int position, WireType type)
    {
        switch (type)
        {
            case WireType.Varint:
                return ReadVarint(bytes, ref position);
            case WireType.Fixed32:
                position += sizeof(uint);
                return BinaryPrimitives.ReadUInt32LittleEndian(bytes[(position - sizeof(uint))..]);
            case WireType.Fixed64:
                position += sizeof(ulong);
                return BinaryPrimitives.ReadUInt64LittleEndian(bytes[(position - sizeof(ulong))..]);
            default:
                throw new FormatException($"{type} is no number.");
        }
    }

    private static ulong ReadVarint(ReadOnlySpan<byte> bytes, ref int position)
    {
        ulong value = 0;
        for (int shift = 0; ; shift += 7)
        {
            byte next = bytes[position++];
            value |= (ulong)(next & 0x7f) << shift;
            if (next < 0x80) return value;
        }
    }
}
