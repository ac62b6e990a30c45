using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;

namespace Mux.Protobuf;

/// <summary>
/// Creates strings from ASCII, eight or sixteen characters at a time. For the short texts of messages, the framework's general conversions cost two to three
/// times as much, most of it before the first character.
/// </summary>
internal static class AsciiText
{
    private const ulong NoAscii = 0x8080_8080_8080_8080;

    /// <summary>Creates a string from ASCII.</summary>
    /// <param name="source">The first of <paramref name="length"/> bytes, all of them present.</param>
    /// <param name="length">At least 0.</param>
    /// <returns>Null if a byte is not ASCII.</returns>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static string? TryCreate(ref readonly byte source, nint length)
    {
        // Reads both ends in registers. They overlap, and cover all bytes: two reads of 4 or 8 bytes cover up to twice as many.
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
                head = source | ((ulong)At(in source, length >> 1) << 8); // 1 to 3 bytes
                tail = At(in source, length - 1);
                break;
        }

        if (((head | tail) & NoAscii) != 0) return null;
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
        // The last sixteen bytes overlap those before.
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

    // Writes into a new string that is not empty and that no other code has seen. Same as string.Create, without its callback.
    private static ref char Characters(string made) => ref Unsafe.AsRef(in made.GetPinnableReference());

    private static ref readonly byte At(ref readonly byte source, nint offset) => ref Unsafe.Add(ref Unsafe.AsRef(in source), offset);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector128<byte> Load(ref readonly byte source, nint offset) => Vector128.LoadUnsafe(in At(in source, offset));

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
}
