using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;

namespace Mux.Protobuf;

/// <summary>
/// Writes fields of short ASCII, eight characters at a time. For the short texts of messages, the framework's general conversions cost two to three times as
/// much, most of it before the first character.
/// </summary>
internal static class ShortText
{
    private const int MaxLength = 127; // the length fits into one byte

    /// <summary>
    /// Writes the last byte of a tag, one byte for the length and one for each character, if the text is short ASCII and fits before <paramref name="end"/>.
    /// </summary>
    /// <param name="text">The text.</param>
    /// <param name="next">Where to write; not after <paramref name="end"/>.</param>
    /// <param name="end">The place after the last byte that may be written.</param>
    /// <param name="tag">Below 128: the rest of the tag.</param>
    /// <returns>The place of the next field; or a null reference, and the bytes written before <paramref name="end"/> are meaningless.</returns>
    /// <remarks>A leaf method, so that no register must be saved.</remarks>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static ref byte TryWrite(string text, ref byte next, ref byte end, uint tag)
    {
        nint length = text.Length;

        // Proves for all that follows that the tag, the length and one byte for each character are before the end.
        if (length > MaxLength || Unsafe.ByteOffset(ref next, ref end) - 2 < length) return ref Unsafe.NullRef<byte>();
        if (BitConverter.IsLittleEndian) Unsafe.WriteUnaligned(ref next, (ushort)(tag | ((uint)length << 8)));
        else Unsafe.WriteUnaligned(ref next, (ushort)((tag << 8) | (uint)length));
        ref byte target = ref Unsafe.Add(ref next, 2);
        if (!TryNarrow(ref Unsafe.As<char, ushort>(ref Unsafe.AsRef(in text.GetPinnableReference())), length, ref target)) return ref Unsafe.NullRef<byte>();
        return ref Unsafe.Add(ref target, length);
    }

    /// <summary>Writes one byte per character.</summary>
    /// <returns>False if a character was not ASCII.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool TryNarrow(ref ushort source, nint length, ref byte target)
    {
        if (length >= 8)
        {
            // The last eight characters may overlap those before, which is cheaper than handling a rest. The same applies below.
            nint last = length - 8;
            var seen = Narrow8(ref Unsafe.Add(ref source, last), ref Unsafe.Add(ref target, last));
            for (nint i = 0; i < last; i += 8) seen |= Narrow8(ref Unsafe.Add(ref source, i), ref Unsafe.Add(ref target, i));
            return (seen & Vector128.Create((ushort)0xff80)) == Vector128<ushort>.Zero;
        }

        if (length >= 4)
        {
            ulong head = Read<ulong>(ref source);
            ulong tail = Read<ulong>(ref Unsafe.Add(ref source, length - 4));
            Unsafe.WriteUnaligned(ref target, Narrow4(head));
            Unsafe.WriteUnaligned(ref Unsafe.Add(ref target, length - 4), Narrow4(tail));
            return ((head | tail) & 0xff80_ff80_ff80_ff80) == 0;
        }

        if (length >= 2)
        {
            uint head = Read<uint>(ref source);
            uint tail = Read<uint>(ref Unsafe.Add(ref source, length - 2));
            Unsafe.WriteUnaligned(ref target, (ushort)(head | (head >> 8)));
            Unsafe.WriteUnaligned(ref Unsafe.Add(ref target, length - 2), (ushort)(tail | (tail >> 8)));
            return ((head | tail) & 0xff80_ff80) == 0;
        }

        if (length == 0) return true;
        target = (byte)source;
        return source < 0x80;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector128<ushort> Narrow8(ref ushort source, ref byte target)
    {
        var characters = Vector128.LoadUnsafe(ref source);
        Unsafe.WriteUnaligned(ref target, Narrow(characters).AsUInt64().ToScalar());
        return characters;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static uint Narrow4(ulong characters)
    {
        return Narrow(Vector128.CreateScalarUnsafe(characters).AsUInt16()).AsUInt32().ToScalar();
    }

    // Characters that are not ASCII may give any byte, which saves two of three instructions.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector128<byte> Narrow(Vector128<ushort> characters)
    {
        if (Sse2.IsSupported) return Sse2.PackUnsignedSaturate(characters.AsInt16(), characters.AsInt16());
        return Vector128.Narrow(characters, characters);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static T Read<T>(ref ushort source)
        where T : unmanaged
    {
        return Unsafe.ReadUnaligned<T>(ref Unsafe.As<ushort, byte>(ref source));
    }
}
