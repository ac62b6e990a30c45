using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

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
            ulong head = Read4(ref source);
            ulong tail = Read4(ref Unsafe.Add(ref source, last));
            var both = Vector128.Narrow(Vector128.CreateScalar(head).AsUInt16(), Vector128.CreateScalar(tail).AsUInt16()).AsUInt32();
            Unsafe.WriteUnaligned(ref target, both.ToScalar());
            Unsafe.WriteUnaligned(ref Unsafe.Add(ref target, last), both.GetElement(2));
            return ((head | tail) & NoAsciiInFour) == 0;
        }

        last += 2;
        if (last >= 0)
        {
            uint head = Read2(ref source);
            uint tail = Read2(ref Unsafe.Add(ref source, last));
            Write2(ref target, head);
            Write2(ref Unsafe.Add(ref target, last), tail);
            return ((head | tail) & 0xff80_ff80) == 0;
        }

        if (text.IsEmpty) return true;
        target = (byte)source;
        return source < 0x80;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)] // measured: a call here costs a text as much as the rest of its writing
    private static Vector128<ushort> Narrow8(ref char source, ref byte target)
    {
        var characters = Vector128.LoadUnsafe(ref Unsafe.As<char, ushort>(ref source));
        Unsafe.WriteUnaligned(ref target, Vector128.Narrow(characters, characters).AsUInt64().ToScalar());
        return characters;
    }

    private static uint Read2(ref char source) => Unsafe.ReadUnaligned<uint>(ref Unsafe.As<char, byte>(ref source));

    private static void Write2(ref byte target, uint characters) => Unsafe.WriteUnaligned(ref target, (ushort)(characters | (characters >> 8)));

    private static ulong Read4(ref char source) => Unsafe.ReadUnaligned<ulong>(ref Unsafe.As<char, byte>(ref source));
}
