using System.Buffers;
using System.Numerics;

namespace Mux.Buffers;

/// <summary>
/// Pools arrays whose lengths are powers of two. Arrays below 16 KiB come from <see cref="ArrayPool{T}.Shared"/>. Longer ones are kept when they are returned,
/// and the last one is rented first. Arrays that were not rented for <see cref="KeptFor"/> are dropped, and the oldest ones if all together exceed a part of
/// the process's memory. Safe for concurrent use.
/// </summary>
/// <remarks>
/// The garbage collector runs only when something is allocated, and keeps collected memory for a while: without traffic, the memory of a burst would never be
/// released. So the pages of a dropped array return to the system while the array still exists (<see cref="PhysicalMemory"/>).
/// </remarks>
internal sealed class MessageArrayPool : ArrayPool<byte>
{
    /// <summary>Milliseconds for which an unused array is kept.</summary>
    public const long KeptFor = 10_000;

    /// <summary>Time between two checks for such arrays.</summary>
    private static readonly TimeSpan s_interval = TimeSpan.FromSeconds(2.5);

    /// <summary>16 KiB: shorter arrays have few whole pages.</summary>
    private const int LeastShift = 14;

    /// <summary>1 GiB: longer arrays have no power of two for their length, and are not kept.</summary>
    private const int MostShift = 30;

    /// <summary>
    /// At most the memory of the process divided by this is kept. Peers may make a server hold a quarter of the memory, or half with the profile Internal. With
    /// the arrays kept from earlier bursts this is at most three or five eighths, in whatever order bursts of different lengths come: one limit covers all
    /// lengths.
    /// </summary>
    private const int MemoryPart = 8;

    private readonly ArrayShelf[] _shelves = [.. Enumerable.Range(LeastShift, MostShift - LeastShift + 1).Select(_ => new ArrayShelf())];
    private readonly Lock _gate = new(); // guards the timer and its flag
    private readonly TimeProvider _time;
    private readonly long _mostKept;
    private readonly bool _keepsForThreads;
    private readonly Func<bool> _isMemoryShort;
    private long _kept;
    private ITimer? _timer;
    private volatile bool _isTimed;

    /// <param name="time">Null for the system's time.</param>
    /// <param name="mostKept">Maximum number of kept bytes, without those of threads; null for an eighth of the memory of the process.</param>
    /// <param name="keepsForThreads">True for the one pool that uses <see cref="ThreadBlocks"/>.</param>
    /// <param name="isMemoryShort">Asked after each full collection; null for what the collector says.</param>
    public MessageArrayPool(TimeProvider? time = null, long? mostKept = null, bool keepsForThreads = false, Func<bool>? isMemoryShort = null)
    {
        _isMemoryShort = isMemoryShort ?? IsMemoryShort;
        _time = time ?? TimeProvider.System;
        _keepsForThreads = keepsForThreads;
        _mostKept = mostKept ?? GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / MemoryPart;
        Gen2Callback.Register(this, static pool => pool.OnCollected());
    }

    /// <summary>Number of kept bytes, without those of threads.</summary>
    public long Kept => Volatile.Read(ref _kept);

    private long Now => _time == TimeProvider.System ? Environment.TickCount64 : (long)_time.GetElapsedTime(0).TotalMilliseconds;

    public override byte[] Rent(int minimumLength)
    {
        if (minimumLength < 1 << LeastShift) return Shared.Rent(minimumLength);
        if (minimumLength > 1 << MostShift) return GC.AllocateUninitializedArray<byte>(minimumLength);
        int length = (int)BitOperations.RoundUpToPowerOf2((uint)minimumLength);
        if (length == ThreadBlocks.Length && _keepsForThreads && ThreadBlocks.TryTake() is { } block) return block;
        if (ShelfOf(length).TryTake() is { } kept)
        {
            Interlocked.Add(ref _kept, -length);
            return kept;
        }

        MakeRoom(Math.Max(0, _mostKept - length)); // the kept arrays have other lengths than the requested one
        return GC.AllocateUninitializedArray<byte>(length);
    }

    public override void Return(byte[] array, bool clearArray = false)
    {
        ArgumentNullException.ThrowIfNull(array);
        if (clearArray) array.AsSpan().Clear();
        if (array.Length < 1 << LeastShift)
        {
            Shared.Return(array);
            return;
        }

        if (!BitOperations.IsPow2(array.Length) || array.Length > 1 << MostShift) return;
        if (array.Length == ThreadBlocks.Length && _keepsForThreads && ThreadBlocks.TryPut(array))
        {
            if (!_isTimed) StartTimer();
            return;
        }

        if (array.Length > _mostKept)
        {
            PhysicalMemory.GiveBack(array);
            return;
        }

        ShelfOf(array.Length).Put(array, Now);
        Interlocked.Add(ref _kept, array.Length); // before the flag is read: see OnTimer
        if (!_isTimed) StartTimer();
        MakeRoom(_mostKept);
    }

    /// <summary>Drops the arrays that were returned before a time.</summary>
    public void Trim(long before)
    {
        foreach (var shelf in _shelves)
        {
            while (shelf.TryTakeOldest(before) is { } array) LetGo(array);
        }
    }

    private ArrayShelf ShelfOf(int length) => _shelves[BitOperations.Log2((uint)length) - LeastShift];

    /// <summary>Drops the oldest arrays until at most this many bytes, or none, are kept.</summary>
    private void MakeRoom(long most)
    {
        while (Kept > most)
        {
            var oldest = _shelves[0];
            foreach (var shelf in _shelves)
            {
                if (shelf.OldestAt <= oldest.OldestAt) oldest = shelf; // of the same age the longest
            }

            if (oldest.OldestAt == ArrayShelf.Never) return; // the rest was just taken by threads that have not counted it yet
            if (oldest.TryTakeOldest(ArrayShelf.Never) is { } array) LetGo(array);
        }
    }

    private void LetGo(byte[] array)
    {
        Interlocked.Add(ref _kept, -array.Length);
        PhysicalMemory.GiveBack(array);
    }

    private void StartTimer()
    {
        lock (_gate)
        {
            if (_isTimed) return;
            _isTimed = true;
            using var flow = ExecutionContext.SuppressFlow();
            _timer = _time.CreateTimer(static pool => ((MessageArrayPool)pool!).OnTimer(), this, s_interval, s_interval);
        }
    }

    private void OnTimer()
    {
        Trim(Now - KeptFor);
        bool isAnyLeft = _keepsForThreads && ThreadBlocks.Trim(Environment.TickCount64 - KeptFor);
        lock (_gate)
        {
            if (Kept > 0 || isAnyLeft) return;
            _timer?.Dispose(); // an idle process needs no timer
            _timer = null;
            _isTimed = false;
        }

        Interlocked.MemoryBarrierProcessWide(); // a concurrent return either sees that there is no timer, or its array is seen here
        if (Kept > 0 || (_keepsForThreads && ThreadBlocks.Trim(long.MinValue))) StartTimer();
    }

    /// <summary>Drops all arrays after a full collection if memory is short.</summary>
    private void OnCollected()
    {
        if (!_isMemoryShort()) return;
        Trim(long.MaxValue);
        if (_keepsForThreads) ThreadBlocks.Trim(long.MaxValue);
    }

    /// <summary>
    /// True if the machine or the container is nearly full, or the heap is: it may have a limit below the memory of the
    /// machine (<c>DOTNET_GCHeapHardLimit</c>, or three quarters of a container), of which the load says nothing.
    /// </summary>
    private static bool IsMemoryShort()
    {
        var memory = GC.GetGCMemoryInfo();
        long limit = memory.TotalAvailableMemoryBytes; // of the heap, if it has one
        return memory.MemoryLoadBytes >= memory.HighMemoryLoadThresholdBytes
            || memory.HeapSizeBytes >= limit - (limit / MemoryPart);
    }
}
