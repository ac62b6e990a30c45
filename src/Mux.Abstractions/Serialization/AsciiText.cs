using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using System.Text;

namespace Mux.Serialization;

/// <summary>
/// Turns ASCII between its two widths, eight characters at a time. For the short texts of messages the general conversions of the
/// framework cost two to three times as much, most of it before the first character.
/// </summary>
internal static class AsciiText
{
    private const ulong NoAsciiInFour = 0xff80_ff80_ff80_ff80;

    /// <summary>Writes one byte per character to <paramref name="target"/>, which has room for them all.</summary>
    /// <returns>False if a character was no ASCII; the bytes written are then meaningless.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryNarrow(ReadOnlySpan<char> text, ref byte target)
    {
        ref char source = ref MemoryMarshal.GetReference(text);
        int last = text.Length - 8;
        if (last >= 0)
        {
            // The last eight may overlap those before: cheaper than handling a rest.
            var seen = Narrow8(ref Unsafe.Add(ref source, last), ref Unsafe.Add(ref target, last));
            for (int i = 0; i < last; i += 8) seen |= Narrow8(ref Unsafe.Add(ref source, i), ref Unsafe.Add(ref target, i));
            return (seen & Vector128.Create((ushort)0xff80)) == Vector128<ushort>.Zero;
        }

        last += 4;
        if (last >= 0)
        {
            ulong head = Read<ulong>(ref source);
            ulong tail = Read<ulong>(ref Unsafe.Add(ref source, last));
            var both = Vector128.Narrow(Vector128.CreateScalar(head).AsUInt16(), Vector128.CreateScalar(tail).AsUInt16()).AsUInt32();
            Unsafe.WriteUnaligned(ref target, both.ToScalar());
            Unsafe.WriteUnaligned(ref Unsafe.Add(ref target, last), both.GetElement(2));
            return ((head | tail) & NoAsciiInFour) == 0;
        }

        last += 2;
        if (last >= 0)
        {
            uint head = Read<uint>(ref source);
            uint tail = Read<uint>(ref Unsafe.Add(ref source, last));
            Write2(ref target, head);
            Write2(ref Unsafe.Add(ref target, last), tail);
            return ((head | tail) & 0xff80_ff80) == 0;
        }

        if (text.IsEmpty) return true;
        target = (byte)source;
        return source < 0x80;
    }

    /// <summary>Says whether all bytes are ASCII.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool IsAscii(ReadOnlySpan<byte> bytes)
    {
        ref byte source = ref MemoryMarshal.GetReference(bytes);
        if (bytes.Length > 16) return Ascii.IsValid(bytes);
        ref byte end = ref Unsafe.Add(ref source, bytes.Length);
        return bytes.Length switch
        {
            >= 8 => ((Read<ulong>(ref source) | Read<ulong>(ref Unsafe.Subtract(ref end, 8))) & 0x8080_8080_8080_8080) == 0,
            >= 4 => ((Read<uint>(ref source) | Read<uint>(ref Unsafe.Subtract(ref end, 4))) & 0x8080_8080) == 0,
            >= 2 => ((Read<ushort>(ref source) | Read<ushort>(ref Unsafe.Subtract(ref end, 2))) & 0x8080) == 0,
            1 => source < 0x80,
            _ => true,
        };
    }

    /// <summary>Writes one character per byte.</summary>
    /// <param name="bytes">ASCII only.</param>
    /// <param name="target">As long as <paramref name="bytes"/>.</param>
    public static void Widen(ReadOnlySpan<byte> bytes, Span<char> target)
    {
        ref byte source = ref MemoryMarshal.GetReference(bytes);
        ref char destination = ref MemoryMarshal.GetReference(target);
        int last = bytes.Length - 8;
        if (last >= 0)
        {
            for (int i = 0; i < last; i += 8) Widen8(ref Unsafe.Add(ref source, i), ref Unsafe.Add(ref destination, i));
            Widen8(ref Unsafe.Add(ref source, last), ref Unsafe.Add(ref destination, last));
            return;
        }

        last += 4;
        if (last >= 0)
        {
            uint head = Read<uint>(ref source);
            uint tail = Read<uint>(ref Unsafe.Add(ref source, last));
            Widen4(head, ref destination);
            Widen4(tail, ref Unsafe.Add(ref destination, last));
            return;
        }

        for (int i = 0; i < bytes.Length; i++) Unsafe.Add(ref destination, i) = (char)Unsafe.Add(ref source, i);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)] // measured: a call here costs a text as much as the rest of its writing
    private static Vector128<ushort> Narrow8(ref char source, ref byte target)
    {
        var characters = Vector128.LoadUnsafe(ref Unsafe.As<char, ushort>(ref source));
        Unsafe.WriteUnaligned(ref target, Vector128.Narrow(characters, characters).AsUInt64().ToScalar());
        return characters;
    }

    private static void Write2(ref byte target, uint characters) => Unsafe.WriteUnaligned(ref target, (ushort)(characters | (characters >> 8)));

    private static void Widen8(ref byte source, ref char target)
    {
        var bytes = Vector128.CreateScalarUnsafe(Read<ulong>(ref source)).AsByte();
        Vector128.WidenLower(bytes).StoreUnsafe(ref Unsafe.As<char, ushort>(ref target));
    }

    private static void Widen4(uint bytes, ref char target)
    {
        ulong characters = Vector128.WidenLower(Vector128.CreateScalarUnsafe(bytes).AsByte()).AsUInt64().ToScalar();
        Unsafe.WriteUnaligned(ref Unsafe.As<char, byte>(ref target), characters);
    }

    private static T Read<T>(ref byte source)
        where T : unmanaged
    {
        return Unsafe.ReadUnaligned<T>(ref source);
    }

    private static T Read<T>(ref char source)
        where T : unmanaged
    {
        return Unsafe.ReadUnaligned<T>(ref Unsafe.As<char, byte>(ref source));
    }
}
