using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;

namespace Mux.Protobuf;

/// <summary>Computes sizes of values on the wire.</summary>
internal static class WireSize
{
    /// <summary>Gets the size of a varint, 1 to 5 bytes. For a constant, such as a tag, this is a constant.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Varint32(uint value) => value switch
    {
        < 1u << 7 => 1,
        < 1u << 14 => 2,
        < 1u << 21 => 3,
        < 1u << 28 => 4,
        _ => 5,
    };

    /// <summary>Counts the varints that end in a packed block: the last byte of each has no highest bit.</summary>
    public static int CountVarints(ReadOnlySpan<byte> block)
    {
        int count = 0;
        while (block.Length >= Vector128<byte>.Count)
        {
            count += Vector128<byte>.Count - BitOperations.PopCount(Vector128.Create(block).ExtractMostSignificantBits());
            block = block[Vector128<byte>.Count..];
        }

        foreach (byte next in block) count += next < 0x80 ? 1 : 0;
        return count;
    }
}
