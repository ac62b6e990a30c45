using System.Runtime.CompilerServices;

namespace Mux.Protobuf;

/// <summary>Frames the bytes of a value of fewer than 128 bytes: with a length before it or, in a group, with an end tag after it.</summary>
internal static class ValueBlock
{
    /// <summary>Gets the place of the first byte of a value after its tag; <see cref="End"/> writes the bytes before it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Begin(ref byte next, uint tag) => ref Unsafe.Add(ref next, IsGroup(tag) ? 0 : 1);

    /// <summary>Writes the length of a value, or the end of its group.</summary>
    /// <param name="next">The argument of <see cref="Begin"/>.</param>
    /// <param name="tag">The tag of the field, which says whether it is a group.</param>
    /// <param name="end">The place after the last byte of the value.</param>
    /// <returns>The place of the next field.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte End(ref byte next, uint tag, ref byte end)
    {
        if (IsGroup(tag)) return ref EndGroup(tag, ref end);
        next = (byte)(Unsafe.ByteOffset(ref next, ref end) - 1);
        return ref end;
    }

    /// <summary>Finds a value whose length takes one byte and that is complete.</summary>
    /// <param name="source">The place of the length.</param>
    /// <param name="room">Number of bytes present.</param>
    /// <param name="length">The length.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryFind(ref readonly byte source, nint room, out int length)
    {
        length = room > 0 ? source : 0x80;
        return length < 0x80 && length < room;
    }

    /// <summary>Creates a cursor over such a value.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static FieldCursor Read(ref readonly byte source, int length) => new(ref Unsafe.Add(ref Unsafe.AsRef(in source), 1), length);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool IsGroup(uint tag) => (tag & 7) == (uint)WireType.StartGroup;

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static ref byte EndGroup(uint tag, ref byte end)
    {
        var run = new FieldRun(ref end, MaxTagSize);
        run.Tag(tag + 1);
        return ref run.Next;
    }

    private const int MaxTagSize = 5;
}
