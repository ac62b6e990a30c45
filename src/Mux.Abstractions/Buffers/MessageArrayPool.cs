using System.Buffers;
using System.Numerics;

namespace Mux.Buffers;

/// <summary>
/// Arrays by powers of two. Small ones are those of <see cref="ArrayPool{T}.Shared"/>; of 16 KiB and more it keeps those that come back, the last one first,
/// and drops those that were not rented for <see cref="KeptFor"/>, memory first, and of the oldest where they are more than a part of the memory. Safe for
/// concurrent use.
/// </summary>
/// <remarks>
/// The garbage collector runs when something is allocated, and keeps the memory of what it has collected for a while: without traffic neither would happen, and
/// a burst would hold its memory for good. So the pages go back to the system while the array is still there (<see cref="PhysicalMemory"/>).
/// </remarks>
internal sealed class MessageArrayPool : ArrayPool<byte>
{
    /// <summary>Milliseconds for which an array is kept that is not rented.</summary>
    public const long KeptFor = 10_000;

    /// <summary>Between two looks for such arrays.</summary>
    private static readonly TimeSpan s_interval = TimeSpan.FromSeconds(2.5);

    /// <summary>16 KiB: shorter arrays have few whole pages.</summary>
    private const int LeastShift = 14;

    /// <summary>1 GiB: longer arrays have no power of two for their length, and are not kept.</summary>
    private const int MostShift = 30;

    /// <summary>What connections fill and send, batch by batch: one is kept for each thread, so that this costs no lock.</summary>
    private const int BlockLength = 64 * 1024;

    /// <summary>
    /// The part of the memory of the process, one of so many, that is kept. Peers may make a server hold a quarter of it, or half with the profile for inner
    /// networks, and with what is kept of the burst before it is three eighths, or five: no order of bursts of different lengths makes it more, because the
    /// bound is one for all lengths.
    /// </summary>
    private const int MemoryPart = 8;

    [ThreadStatic]
    private static byte[]? t_block;

    private readonly ArrayShelf[] _shelves = [.. Enumerable.Range(LeastShift, MostShift - LeastShift + 1).Select(_ => new ArrayShelf())];
    private readonly Lock _gate = new(); // guards the timer
    private readonly TimeProvider _time;
    private readonly long _mostKept;
    private long _kept;
    private ITimer? _timer;
    private volatile bool _isTimed;

    /// <param name="time">The system's if it is null.</param>
    /// <param name="mostKept">Bytes that are kept, but for those of threads; an eighth of the memory of the process if it is null.</param>
    public MessageArrayPool(TimeProvider? time = null, long? mostKept = null)
    {
        _time = time ?? TimeProvider.System;
        _mostKept = mostKept ?? GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / MemoryPart;
        Gen2Callback.Register(this, static pool => pool.OnCollected());
    }

    /// <summary>Bytes of the arrays that are kept, but for those of threads.</summary>
    public long Kept => Volatile.Read(ref _kept);

    private long Now => _time == TimeProvider.System ? Environment.TickCount64 : (long)_time.GetElapsedTime(0).TotalMilliseconds;

    public override byte[] Rent(int minimumLength)
    {
        if (minimumLength < 1 << LeastShift) return Shared.Rent(minimumLength);
        if (minimumLength > 1 << MostShift) return GC.AllocateUninitializedArray<byte>(minimumLength);
        int length = (int)BitOperations.RoundUpToPowerOf2((uint)minimumLength);
        if (length == BlockLength && t_block is { } block)
        {
            t_block = null;
            return block;
        }

        if (ShelfOf(length).TryTake() is { } kept)
        {
            Interlocked.Add(ref _kept, -length);
            return kept;
        }

        MakeRoom(Math.Max(0, _mostKept - length)); // what is kept is of other lengths than what is wanted
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
        if (array.Length == BlockLength && t_block is null)
        {
            t_block = array;
            return;
        }

        if (array.Length > _mostKept)
        {
            PhysicalMemory.GiveBack(array);
            return;
        }

        ShelfOf(array.Length).Put(array, Now);
        Interlocked.Add(ref _kept, array.Length); // and then the flag: see OnTimer
        if (!_isTimed) StartTimer();
        MakeRoom(_mostKept);
    }

    /// <summary>Lets go of the arrays that were put back before a time.</summary>
    public void Trim(long before)
    {
        foreach (var shelf in _shelves)
        {
            while (shelf.TryTakeOldest(before) is { } array) LetGo(array);
        }
    }

    private ArrayShelf ShelfOf(int length) => _shelves[BitOperations.Log2((uint)length) - LeastShift];

    /// <summary>Lets go of the oldest until no more is kept than so many bytes, or nothing.</summary>
    private void MakeRoom(long most)
    {
        while (Kept > most)
        {
            var oldest = _shelves[0];
            foreach (var shelf in _shelves)
            {
                if (shelf.OldestAt <= oldest.OldestAt) oldest = shelf; // of the same time the longest
            }

            if (oldest.OldestAt == ArrayShelf.Never) return; // what counts yet was taken by threads that have not said so
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
        lock (_gate)
        {
            if (Kept > 0) return;
            _timer?.Dispose(); // an idle process keeps no timer
            _timer = null;
            _isTimed = false;
        }

        Interlocked.MemoryBarrier(); // what comes back either sees that there is no timer, or is seen here
        if (Kept > 0) StartTimer();
    }

    /// <summary>After a full collection: where memory is short, nothing is kept.</summary>
    private void OnCollected()
    {
        var memory = GC.GetGCMemoryInfo();
        if (memory.MemoryLoadBytes >= memory.HighMemoryLoadThresholdBytes) Trim(long.MaxValue);
    }
}
