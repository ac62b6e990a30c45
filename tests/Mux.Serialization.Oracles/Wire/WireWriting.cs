using System.Buffers.Binary;

namespace Mux.Serialization.Oracles.Wire;

/// <summary>Puts fields into bytes, in any of the forms that every reader has to take: numbers in more bytes than they need.</summary>
/// <param name="random">Says where; null for nowhere.</param>
internal sealed class WireWriting(Random? random)
{
    // What readers of 32 bits and of 64 bits take at most.
    private const int MaxSize32 = 5;
    private const int MaxSize64 = 10;

    private readonly List<byte> _bytes = [];

    public byte[] ToArray() => [.. _bytes];

    /// <param name="fields">In this order.</param>
    /// <param name="isNarrow">Of a field number, whether its varint is read as 32 bits.</param>
    public void Write(IEnumerable<WireField> fields, Func<int, bool> isNarrow)
    {
        foreach (var field in fields)
        {
            WriteTag(field.Number, field.Type);
            switch (field.Type)
            {
                case WireType.Bytes:
                    WriteVarint((ulong)field.Bytes!.Length, MaxSize32);
                    _bytes.AddRange(field.Bytes);
                    break;
                case WireType.StartGroup:
                    Write(field.Group!, static _ => true);
                    WriteTag(field.Number, WireType.EndGroup);
                    break;
                default:
                    WriteNumber(field.Value, field.Type, isNarrow(field.Number));
                    break;
            }
        }
    }

    public void WriteNumber(ulong value, WireType type, bool isNarrow)
    {
        Span<byte> bytes = stackalloc byte[sizeof(ulong)];
        BinaryPrimitives.WriteUInt64LittleEndian(bytes, value);
        if (type == WireType.Varint) WriteVarint(value, isNarrow && value <= uint.MaxValue ? MaxSize32 : MaxSize64);
        else _bytes.AddRange(bytes[..(type == WireType.Fixed32 ? sizeof(uint) : sizeof(ulong))]);
    }

    private void WriteTag(int number, WireType type) => WriteVarint(((ulong)number << 3) | (uint)type, MaxSize32);

    private void WriteVarint(ulong value, int maxSize)
    {
        int size = 1;
        for (ulong rest = value >> 7; rest != 0; rest >>= 7) size++;
        if (random is not null && random.Next(12) == 0) size = random.Next(size, Math.Max(size, maxSize) + 1);
        for (; size > 1; size--, value >>= 7) _bytes.Add((byte)(value | 0x80));
        _bytes.Add((byte)value);
    }
}
