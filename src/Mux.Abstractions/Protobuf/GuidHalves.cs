using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Mux.Protobuf;

/// <summary>Reads and writes protobuf-net's bcl.Guid: the halves of <see cref="Guid.ToByteArray()"/>; nothing for <see cref="Guid.Empty"/>.</summary>
/// <remarks>
/// <code>
/// 1 lo  fixed64: the first eight bytes
/// 2 hi  fixed64: the others
/// </code>
/// </remarks>
internal static class GuidHalves
{
    private const uint LowTag = (1 << 3) | (uint)WireType.Fixed64;
    private const uint HighTag = (2 << 3) | (uint)WireType.Fixed64;

    private const int HalfSize = 1 + sizeof(ulong);
    private const int Size = 2 * HalfSize;

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static ref byte Write(ref byte next, uint tag, scoped in Guid value)
    {
        ref byte start = ref ValueBlock.Begin(ref next, tag);
        if (value == Guid.Empty) return ref ValueBlock.End(ref next, tag, ref start);

        Span<byte> bytes = stackalloc byte[2 * sizeof(ulong)];
        value.TryWriteBytes(bytes);
        start = (byte)LowTag;
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref start, 1), MemoryMarshal.Read<ulong>(bytes));
        Unsafe.Add(ref start, HalfSize) = (byte)HighTag;
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref start, HalfSize + 1), MemoryMarshal.Read<ulong>(bytes[sizeof(ulong)..]));
        return ref ValueBlock.End(ref next, tag, ref Unsafe.Add(ref start, Size));
    }

    /// <returns>The number of bytes, including the length; 0 if they are not in the usual form.</returns>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int TryRead(ref readonly byte source, nint room, out Guid value)
    {
        value = default;
        if (!ValueBlock.TryFind(in source, room, out int length)) return 0;
        if (length == 0) return 1;
        if (length != Size) return 0;
        ref byte start = ref Unsafe.Add(ref Unsafe.AsRef(in source), 1);
        if (start != LowTag || Unsafe.Add(ref start, HalfSize) != HighTag) return 0;
        value = ToGuid(Half(ref Unsafe.Add(ref start, 1)), Half(ref Unsafe.Add(ref start, HalfSize + 1)));
        return 1 + Size;
    }

    /// <param name="reader">Reader of this value only.</param>
    public static Guid Read(ref MessageReader reader)
    {
        ulong low = 0;
        ulong high = 0;
        while (reader.ReadPart(out uint tag))
        {
            switch (tag >> 3)
            {
                case LowTag >> 3:
                    low = reader.ReadUInt64(tag);
                    break;
                case HighTag >> 3:
                    high = reader.ReadUInt64(tag);
                    break;
                default:
                    reader.Skip(tag);
                    break;
            }
        }

        return ToGuid(low, high);
    }

    private static ulong Half(ref byte source)
    {
        ulong half = Unsafe.ReadUnaligned<ulong>(ref source);
        return BitConverter.IsLittleEndian ? half : BinaryPrimitives.ReverseEndianness(half);
    }

    private static Guid ToGuid(ulong low, ulong high)
    {
        Span<byte> bytes = stackalloc byte[2 * sizeof(ulong)];
        BinaryPrimitives.WriteUInt64LittleEndian(bytes, low);
        BinaryPrimitives.WriteUInt64LittleEndian(bytes[sizeof(ulong)..], high);
        return new Guid(bytes);
    }
}
