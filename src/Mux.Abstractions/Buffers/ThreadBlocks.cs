namespace Mux.Buffers;

/// <summary>
/// Keeps one block per thread, for the thread that returns it, without a lock: loops take and return one per batch. Blocks that their threads have not used for
/// a while, or whose threads have ended, are taken from them. Safe for concurrent use.
/// </summary>
internal static class ThreadBlocks
{
    /// <summary>Length of the blocks that connections fill and send: 64 KiB.</summary>
    public const int Length = 64 * 1024;

    [ThreadStatic]
    private static Place? t_own;

    private static readonly List<Place> s_places = []; // also the lock of the list

    /// <summary>Takes the block of the calling thread, or null.</summary>
    public static byte[]? TryTake() => t_own?.TryTake();

    /// <summary>Keeps a block for the calling thread.</summary>
    /// <returns>False if it has one.</returns>
    public static bool TryPut(byte[] block) => (t_own ?? Join()).TryPut(block);

    /// <summary>Gives the memory of unused blocks back to the system.</summary>
    /// <param name="before">Blocks that were returned before this <see cref="Environment.TickCount64"/> are unused.</param>
    /// <returns>True if blocks are left.</returns>
    public static bool Trim(long before)
    {
        bool isAnyLeft = false;
        lock (s_places)
        {
            foreach (var place in s_places)
            {
                if (place.IsUnused(before) && place.TryTake() is { } block) PhysicalMemory.GiveBack(block);
                isAnyLeft |= place.IsFilled;
            }

            s_places.RemoveAll(static place => !place.Thread.IsAlive && !place.IsFilled);
        }

        return isAnyLeft;
    }

    private static Place Join()
    {
        t_own = new Place();
        lock (s_places) s_places.Add(t_own);
        return t_own;
    }

    /// <summary>The place of one thread. Only that thread fills it; a trim may empty it.</summary>
    private sealed class Place
    {
        private byte[]? _block;
        private long _returnedAt;

        public Thread Thread { get; } = Thread.CurrentThread;

        public bool IsFilled => Volatile.Read(ref _block) is not null;

        /// <summary>
        /// True if the block was not used since a time or its thread has ended. May be wrong if the thread uses it now: it then takes another.
        /// </summary>
        public bool IsUnused(long before) => Volatile.Read(ref _returnedAt) < before || !Thread.IsAlive;

        public byte[]? TryTake() => _block is null ? null : Interlocked.Exchange(ref _block, null);

        public bool TryPut(byte[] block)
        {
            if (_block is not null) return false;
            _returnedAt = Environment.TickCount64;
            Volatile.Write(ref _block, block);
            return true;
        }
    }
}
