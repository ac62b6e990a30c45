using System.ComponentModel;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Mux.Serialization;

/// <summary>Reads packed blocks of floats, doubles and fixed-size integers for generated code: their bytes on the wire are their bytes in memory.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class PackedDecoder
{
    /// <summary>Reads a block and puts its items behind those that the member holds already.</summary>
    /// <typeparam name="T">A number of 4 or 8 bytes.</typeparam>
    /// <exception cref="InvalidMessageException">The block is longer than the message, or holds no whole number of items.</exception>
    public static T[] ReadPacked<T>(this ref MessageReader reader, T[]? existing)
        where T : unmanaged
    {
        int count = CountItems<T>(ref reader, out var block);
        int kept = existing?.Length ?? 0;
        if (count == 0) return existing ?? [];

        var items = GC.AllocateUninitializedArray<T>(kept + count);
        existing.AsSpan().CopyTo(items);
        Copy(block, items.AsSpan(kept));
        return items;
    }

    /// <inheritdoc cref="ReadPacked{T}(ref MessageReader, T[])"/>
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
