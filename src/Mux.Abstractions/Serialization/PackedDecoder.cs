using System.ComponentModel;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Mux.Serialization;

/// <summary>Reads packed blocks of floats, doubles and fixed-size integers for generated code: their bytes on the wire are their bytes in memory.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class PackedDecoder
{
    /// <summary>Reads a block whose items come behind those that the member holds already.</summary>
    /// <typeparam name="T">A number of 4 or 8 bytes.</typeparam>
    /// <param name="reader">At the block.</param>
    /// <param name="existing">What the member holds, or null. Never changed.</param>
    /// <param name="further">Items that are appended behind the last field of the message. Takes the block if there are some before it.</param>
    /// <returns>What the member holds from now on.</returns>
    /// <exception cref="InvalidMessageException">The block is longer than the message, or holds no whole number of items.</exception>
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

    /// <summary>Reads a block and puts its items behind those that the member holds already.</summary>
    /// <typeparam name="T">A number of 4 or 8 bytes.</typeparam>
    /// <exception cref="InvalidMessageException">The block is longer than the message, or holds no whole number of items.</exception>
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
