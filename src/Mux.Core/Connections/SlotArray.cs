using System.Numerics;

namespace Mux.Connections;

/// <summary>
/// A flat table by slot number that grows without moving: chunks of 16, 16, 32, 64 ... entries, so that a reader never sees an entry in two places and a
/// connection with a handful of calls holds a handful of entries.
/// </summary>
/// <remarks>Chunks are added by one thread at a time (<see cref="Ensure"/>); entries that exist may be read and written by others meanwhile.</remarks>
internal sealed class SlotArray<T>
{
    // Chunk 0 holds 0..15; chunk n > 0 holds 2^(n+3) .. 2^(n+4)-1. Slot numbers have 20 bits, so 17 chunks hold all.
    private const int FirstChunkBits = 4;
    private const int MaxChunks = 17;

    private readonly T[]?[] _chunks = new T[]?[MaxChunks];

    /// <summary>The entry of a slot whose chunk exists.</summary>
    public ref T this[int slot]
    {
        get
        {
            int chunk = ChunkOf(slot);
            return ref _chunks[chunk]![slot - StartOf(chunk)];
        }
    }

    /// <summary>Whether the slot's chunk exists.</summary>
    public bool Exists(int slot) => Volatile.Read(ref _chunks[ChunkOf(slot)]) is not null;

    /// <summary>Makes the slot's chunk exist.</summary>
    public void Ensure(int slot)
    {
        int chunk = ChunkOf(slot);
        if (_chunks[chunk] is null) Volatile.Write(ref _chunks[chunk], new T[chunk == 0 ? 1 << FirstChunkBits : StartOf(chunk)]);
    }

    private static int ChunkOf(int slot) => BitOperations.Log2((uint)slot | ((1 << FirstChunkBits) - 1)) - (FirstChunkBits - 1);

    private static int StartOf(int chunk) => chunk == 0 ? 0 : 1 << (chunk + FirstChunkBits - 1);
}
