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
    private const ulong NoAsciiInEightBytes = 0x8080_8080_8080_8080;

    /// <summary>Writes one byte per character to <paramref name="target"/>, which has room for them all.</summary>
    /// <returns>False if a character was no ASCII; the bytes written are then meaningless.</returns>
    /// <remarks>A leaf, so that no register has to be saved.</remarks>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static bool TryNarrow(string text, ref byte target)
    {
        ref char source = ref MemoryMarshal.GetReference(text.AsSpan());
        nint last = (nint)text.Length - 8;
        if (last >= 0)
        {
            // The last eight may overlap those before: cheaper than handling a rest.
            var seen = Narrow8(ref Unsafe.Add(ref source, last), ref Unsafe.Add(ref target, last));
            for (nint i = 0; i < last; i += 8) seen |= Narrow8(ref Unsafe.Add(ref source, i), ref Unsafe.Add(ref target, i));
            return (seen & Vector128.Create((ushort)0xff80)) == Vector128<ushort>.Zero;
        }

        last += 4;
        if (last >= 0)
        {
            ulong head = Read<ulong>(ref source);
            ulong tail = Read<ulong>(ref Unsafe.Add(ref source, last));
            Unsafe.WriteUnaligned(ref target, Narrow4(head));
            Unsafe.WriteUnaligned(ref Unsafe.Add(ref target, last), Narrow4(tail));
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

        if (text.Length == 0) return true;
        target = (byte)source;
        return source < 0x80;
    }

    /// <summary>Makes a string of ASCII.</summary>
    /// <param name="source">The first of <paramref name="length"/> bytes, which are all there.</param>
    /// <param name="length">At least 0.</param>
    /// <returns>Null if a byte is no ASCII.</returns>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static string? TryCreate(ref readonly byte source, nint length)
    {
        // Bytes at either end, which overlap: what is between them, too, if they are 4 or 8 of up to twice as many. They stay in registers.
        ulong head;
        ulong tail;
        switch (length)
        {
            case > 16:
                return TryCreateLonger(in source, length);
            case >= 8:
                head = Read<ulong>(in source);
                tail = Read<ulong>(in At(in source, length - 8));
                break;
            case >= 4:
                head = Read<uint>(in source);
                tail = Read<uint>(in At(in source, length - 4));
                break;
            case 0:
                return string.Empty;
            default:
                head = source | ((ulong)At(in source, length >> 1) << 8); // one, two or three
                tail = At(in source, length - 1);
                break;
        }

        if (((head | tail) & NoAsciiInEightBytes) != 0) return null;
        var text = new string('\0', (int)length);
        ref char target = ref Characters(text);
        switch (length)
        {
            case >= 8:
                Widen8(head, ref target);
                Widen8(tail, ref Unsafe.Add(ref target, length - 8));
                break;
            case >= 4:
                Widen4((uint)head, ref target);
                Widen4((uint)tail, ref Unsafe.Add(ref target, length - 4));
                break;
            default:
                target = (char)(byte)head;
                Unsafe.Add(ref target, length >> 1) = (char)(head >> 8);
                Unsafe.Add(ref target, length - 1) = (char)tail;
                break;
        }

        return text;
    }

    private static string? TryCreateLonger(ref readonly byte source, nint length)
    {
        // As above, the last sixteen overlap those before.
        nint last = length - Vector128<byte>.Count;
        var seen = Load(in source, last);
        for (nint i = 0; i < last; i += Vector128<byte>.Count) seen |= Load(in source, i);
        if ((seen & Vector128.Create((byte)0x80)) != Vector128<byte>.Zero) return null;

        var text = new string('\0', (int)length);
        ref char target = ref Characters(text);
        for (nint i = 0; i < last; i += Vector128<byte>.Count) Widen16(Load(in source, i), ref Unsafe.Add(ref target, i));
        Widen16(Load(in source, last), ref Unsafe.Add(ref target, last));
        return text;
    }

    // Of a string just made, which is longer than 0 and which nobody else has seen: what string.Create lends to its callback, less the call.
    private static ref char Characters(string made) => ref MemoryMarshal.GetReference(made.AsSpan());

    private static ref readonly byte At(ref readonly byte source, nint offset) => ref Unsafe.Add(ref Unsafe.AsRef(in source), offset);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector128<byte> Load(ref readonly byte source, nint offset) => Vector128.LoadUnsafe(in At(in source, offset));

    [MethodImpl(MethodImplOptions.AggressiveInlining)] // measured: a call here costs a text as much as the rest of its writing
    private static Vector128<ushort> Narrow8(ref char source, ref byte target)
    {
        var characters = Vector128.LoadUnsafe(ref Unsafe.As<char, ushort>(ref source));
        Unsafe.WriteUnaligned(ref target, Vector128.Narrow(characters, characters).AsUInt64().ToScalar());
        return characters;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Write2(ref byte target, uint characters) => Unsafe.WriteUnaligned(ref target, (ushort)(characters | (characters >> 8)));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static uint Narrow4(ulong characters)
    {
        var four = Vector128.CreateScalarUnsafe(characters).AsUInt16();
        return Vector128.Narrow(four, four).AsUInt32().ToScalar();
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Widen16(Vector128<byte> bytes, ref char target)
    {
        var (lower, upper) = Vector128.Widen(bytes);
        lower.StoreUnsafe(ref Unsafe.As<char, ushort>(ref target));
        upper.StoreUnsafe(ref Unsafe.As<char, ushort>(ref target), (nuint)Vector128<ushort>.Count);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Widen8(ulong bytes, ref char target)
    {
        Vector128.WidenLower(Vector128.CreateScalarUnsafe(bytes).AsByte()).StoreUnsafe(ref Unsafe.As<char, ushort>(ref target));
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Widen4(uint bytes, ref char target)
    {
        ulong characters = Vector128.WidenLower(Vector128.CreateScalarUnsafe(bytes).AsByte()).AsUInt64().ToScalar();
        Unsafe.WriteUnaligned(ref Unsafe.As<char, byte>(ref target), characters);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static T Read<T>(ref readonly byte source)
        where T : unmanaged
    {
        return Unsafe.ReadUnaligned<T>(in source);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static T Read<T>(ref char source)
        where T : unmanaged
    {
        return Unsafe.ReadUnaligned<T>(ref Unsafe.As<char, byte>(ref source));
    }
}
