using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;
using System.Text;

namespace Mux.Benchmarks.Codec;

/// <summary>Short ASCII texts in registers, for the reference codec; everything else goes through UTF-8.</summary>
internal static class HandWrittenText
{
    private const ulong NoAsciiInEight = 0x8080_8080_8080_8080;

    /// <summary>Writes tag, length in one byte and text, for which there is room at three bytes a character.</summary>
    /// <returns>Behind the text.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Write(ref byte next, byte tag, string value)
    {
        ref byte behind = ref TryWrite(ref next, tag, value);
        if (Unsafe.IsNullRef(ref behind)) return ref WriteAny(ref next, tag, value);
        return ref behind;
    }

    // A leaf: no register has to be saved.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static ref byte TryWrite(ref byte next, byte tag, string value)
    {
        nint length = value.Length;
        if (length >= 128) return ref Unsafe.NullRef<byte>();
        Unsafe.WriteUnaligned(ref next, (ushort)(tag | (length << 8)));
        ref byte target = ref Unsafe.Add(ref next, 2);
        if (!TryNarrow(ref target, length, ref Unsafe.As<char, ushort>(ref Unsafe.AsRef(in value.GetPinnableReference())))) return ref Unsafe.NullRef<byte>();
        return ref Unsafe.Add(ref target, length);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool TryNarrow(ref byte target, nint length, ref ushort source)
    {
        if (length >= 8)
        {
            nint last = length - 8;
            var seen = Narrow8(ref Unsafe.Add(ref source, last), ref Unsafe.Add(ref target, last));
            for (nint i = 0; i < last; i += 8) seen |= Narrow8(ref Unsafe.Add(ref source, i), ref Unsafe.Add(ref target, i));
            return (seen & Vector128.Create((ushort)0xff80)) == Vector128<ushort>.Zero;
        }

        if (length >= 4)
        {
            ulong head = Unsafe.ReadUnaligned<ulong>(ref Unsafe.As<ushort, byte>(ref source));
            ulong tail = Unsafe.ReadUnaligned<ulong>(ref Unsafe.As<ushort, byte>(ref Unsafe.Add(ref source, length - 4)));
            Unsafe.WriteUnaligned(ref target, Narrow4(head));
            Unsafe.WriteUnaligned(ref Unsafe.Add(ref target, length - 4), Narrow4(tail));
            return ((head | tail) & 0xff80_ff80_ff80_ff80) == 0;
        }

        if (length >= 2)
        {
            uint head = Unsafe.ReadUnaligned<uint>(ref Unsafe.As<ushort, byte>(ref source));
            uint tail = Unsafe.ReadUnaligned<uint>(ref Unsafe.As<ushort, byte>(ref Unsafe.Add(ref source, length - 2)));
            Unsafe.WriteUnaligned(ref target, (ushort)(head | (head >> 8)));
            Unsafe.WriteUnaligned(ref Unsafe.Add(ref target, length - 2), (ushort)(tail | (tail >> 8)));
            return ((head | tail) & 0xff80_ff80) == 0;
        }

        if (length == 0) return true;
        target = (byte)source;
        return source < 0x80;
    }

    /// <summary>Makes a string of bytes that are all present.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static string Read(ref byte source, int length)
    {
        if (length is 0 or > 16) return ReadAny(ref source, length);
        ulong head;
        ulong tail = 0;
        if (length >= 8)
        {
            head = Unsafe.ReadUnaligned<ulong>(ref source);
            tail = Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref source, length - 8));
        }
        else if (length >= 4)
        {
            head = Unsafe.ReadUnaligned<uint>(ref source) | ((ulong)Unsafe.ReadUnaligned<uint>(ref Unsafe.Add(ref source, length - 4)) << 32);
        }
        else
        {
            // One, two or three bytes: first, middle and last, of which some are the same.
            head = source | ((ulong)Unsafe.Add(ref source, length >> 1) << 8) | ((ulong)Unsafe.Add(ref source, length - 1) << 16);
        }

        if (((head | tail) & NoAsciiInEight) != 0) return ReadAny(ref source, length);

        // Nobody else has the string yet.
        var text = new string('\0', length);
        ref ushort target = ref Unsafe.As<char, ushort>(ref Unsafe.AsRef(in text.GetPinnableReference()));
        var wide = Vector128.WidenLower(Vector128.CreateScalarUnsafe(head).AsByte());
        if (length >= 8)
        {
            wide.StoreUnsafe(ref target);
            Vector128.WidenLower(Vector128.CreateScalarUnsafe(tail).AsByte()).StoreUnsafe(ref Unsafe.Add(ref target, length - 8));
        }
        else if (length >= 4)
        {
            Unsafe.WriteUnaligned(ref Unsafe.As<ushort, byte>(ref target), wide.AsUInt64().ToScalar());
            Unsafe.WriteUnaligned(ref Unsafe.As<ushort, byte>(ref Unsafe.Add(ref target, length - 4)), wide.AsUInt64().GetElement(1));
        }
        else
        {
            target = (byte)head;
            Unsafe.Add(ref target, length >> 1) = (byte)(head >> 8);
            Unsafe.Add(ref target, length - 1) = (byte)(head >> 16);
        }

        return text;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector128<ushort> Narrow8(ref ushort source, ref byte target)
    {
        var characters = Vector128.LoadUnsafe(ref source);
        Unsafe.WriteUnaligned(ref target, Sse2.PackUnsignedSaturate(characters.AsInt16(), characters.AsInt16()).AsUInt64().ToScalar());
        return characters;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static uint Narrow4(ulong characters)
    {
        var vector = Vector128.CreateScalarUnsafe(characters).AsInt16();
        return Sse2.PackUnsignedSaturate(vector, vector).AsUInt32().ToScalar();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static ref byte WriteAny(ref byte next, byte tag, string value)
    {
        int count = Encoding.UTF8.GetByteCount(value);
        next = tag;
        next = ref HandWrittenFields.Varint(ref Unsafe.Add(ref next, 1), (uint)count);
        Encoding.UTF8.GetBytes(value, MemoryMarshal.CreateSpan(ref next, count));
        return ref Unsafe.Add(ref next, count);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static string ReadAny(ref byte source, int length) => Encoding.UTF8.GetString(MemoryMarshal.CreateReadOnlySpan(ref source, length));
}
