using System.Numerics;
using System.Runtime.CompilerServices;
using Mux.Protocol;

namespace Mux.Engine;

/// <summary>
/// A flat table by slot number that grows without moving entries: its chunks have 16, 16, 32, 64 ... of them. A reader never sees an entry in two places, and a
/// connection with few calls holds few entries: at most twice what its highest slot needs. One without calls holds nothing.
/// </summary>
/// <remarks>
/// Chunks are added by one thread at a time (<see cref="Ensure"/>). Existing entries may be read and written by others meanwhile. A part of its owner, not an
/// object: each look would follow one more pointer. So the field that holds it is not readonly.
/// </remarks>
internal struct SlotArray<T>()
{
    // Chunk 0 holds 0..15; chunk n > 0 holds 2^(n+3) .. 2^(n+4)-1. Slot numbers have 20 bits, so 17 chunks hold all.
    private const int FirstChunkBits = 4;
    private T[]?[] _chunks = []; // as long as the last chunk needs; replaced when it grows

    /// <summary>Gets the entry of a slot that has one.</summary>
    public readonly ref T this[int slot]
    {
        get
        {
            int chunk = ChunkOf(slot);
            return ref _chunks[chunk]![slot - StartOf(chunk)];
        }
    }

    /// <summary>True if the slot has an entry.</summary>
    public readonly bool Exists(int slot) => !Unsafe.IsNullRef(ref Find(slot));

    /// <summary>Gets the entry of a slot, or a null reference if it has none.</summary>
    public readonly ref T Find(int slot)
    {
        int chunk = ChunkOf(slot);
        int index = slot - StartOf(chunk);
        var chunks = Volatile.Read(in _chunks);
        if ((uint)chunk >= (uint)chunks.Length || chunks[chunk] is not { } entries || (uint)index >= (uint)entries.Length) return ref Unsafe.NullRef<T>();
        return ref entries[index];
    }

    /// <summary>Makes sure that the slot has an entry.</summary>
    /// <param name="slot">The slot.</param>
    /// <param name="last">The highest slot ever used: no entry is made for a higher one.</param>
    /// <returns>The number of entries that were made.</returns>
    public int Ensure(int slot, int last = CallId.MaxSlot)
    {
        int chunk = ChunkOf(slot);
        if (chunk < _chunks.Length && _chunks[chunk] is not null) return 0;
        int size = chunk == 0 ? 1 << FirstChunkBits : StartOf(chunk);
        var entries = new T[Math.Min(size, last - StartOf(chunk) + 1)];
        var chunks = new T[]?[Math.Max(chunk + 1, _chunks.Length)];
        _chunks.CopyTo(chunks);
        chunks[chunk] = entries;
        Volatile.Write(ref _chunks, chunks);
        return entries.Length;
    }

    private static int ChunkOf(int slot) => BitOperations.Log2((uint)slot | ((1 << FirstChunkBits) - 1)) - (FirstChunkBits - 1);

    private static int StartOf(int chunk) => chunk == 0 ? 0 : 1 << (chunk + FirstChunkBits - 1);
}
