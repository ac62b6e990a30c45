using System.ComponentModel;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Mux.Serialization;

namespace Mux.Protobuf;

/// <summary>
/// Reads packed blocks of floats, doubles and fixed-size integers for generated code: their bytes on the wire are their bytes in memory.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class PackedDecoder
{
    /// <summary>Reads a block and appends its items to those that the member already has.</summary>
    /// <typeparam name="T">A number of 4 or 8 bytes.</typeparam>
    /// <param name="reader">Positioned at the block.</param>
    /// <param name="existing">Current value of the member, or null. Never changed.</param>
    /// <param name="further">Collects items that are appended after the last field of the message. Receives the block if there are items before it.</param>
    /// <returns>New value of the member.</returns>
    /// <exception cref="InvalidMessageException">The block is longer than the message, or does not contain a whole number of items.</exception>
    public static T[] ReadPacked<T>(this ref MessageReader reader, T[]? existing, ref ItemBuffer<T> further)
        where T : unmanaged
    {
        int count = CountItems<T>(ref reader, out var block);
        if (count == 0) return existing ?? [];
        if (existing is { Length: > 0 } || !further.IsEmpty)
        {
            Copy(block, further.Extend(count));
            return existing ?? [];
        }

        var items = GC.AllocateUninitializedArray<T>(count);
        Copy(block, items);
        return items;
    }

    /// <summary>Reads a block and appends its items to those that the member already has.</summary>
    /// <typeparam name="T">A number of 4 or 8 bytes.</typeparam>
    /// <exception cref="InvalidMessageException">The block is longer than the message, or does not contain a whole number of items.</exception>
    public static List<T> ReadPacked<T>(this ref MessageReader reader, List<T>? existing)
        where T : unmanaged
    {
        int count = CountItems<T>(ref reader, out var block);
        var items = existing ?? new List<T>(count);
        int kept = items.Count;
        CollectionsMarshal.SetCount(items, kept + count);
        Copy(block, CollectionsMarshal.AsSpan(items)[kept..]);
        return items;
    }

    private static int CountItems<T>(ref MessageReader reader, out ReadOnlySpan<byte> block)
    {
        block = reader.ReadBlock();
        if (block.Length % Unsafe.SizeOf<T>() != 0) reader.ThrowPacked();
        return block.Length / Unsafe.SizeOf<T>();
    }

    private static void Copy<T>(ReadOnlySpan<byte> block, Span<T> items)
        where T : unmanaged
    {
        var bytes = MemoryMarshal.AsBytes(items);
        block.CopyTo(bytes);
        if (BitConverter.IsLittleEndian) return;
        for (int i = 0; i < items.Length; i++) bytes.Slice(i * Unsafe.SizeOf<T>(), Unsafe.SizeOf<T>()).Reverse();
    }
}
