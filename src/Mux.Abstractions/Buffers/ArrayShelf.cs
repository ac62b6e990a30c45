using System.Diagnostics;

namespace Mux.Buffers;

/// <summary>
/// Keeps arrays of one length in a ring, by the time of their return: the newest is rented, the oldest is dropped. Safe for concurrent use.
/// </summary>
internal sealed class ArrayShelf
{
    /// <summary>Later than any other time.</summary>
    public const long Never = long.MaxValue;

    private const int FirstCapacity = 4;

    private readonly Lock _gate = new();
    private (byte[] Array, long At)[] _ring = []; // its length is a power of two
    private int _first;
    private int _count;
    private long _oldestAt = Never;

    /// <summary>Time when the oldest array was returned; <see cref="Never"/> if there is none.</summary>
    public long OldestAt => Volatile.Read(ref _oldestAt);

    public byte[]? TryTake()
    {
        lock (_gate) return _count == 0 ? null : TakeLocked(_first + _count - 1);
    }

    /// <summary>Takes out the oldest array if it was returned before a time.</summary>
    public byte[]? TryTakeOldest(long before)
    {
        lock (_gate)
        {
            if (_oldestAt >= before) return null;
            var array = TakeLocked(_first);
            _first = (_first + 1) & (_ring.Length - 1);
            NoteOldestLocked();
            if (_count == 0) (_ring, _first) = ([], 0);
            return array;
        }
    }

    public void Put(byte[] array, long now)
    {
        lock (_gate)
        {
            if (_count == _ring.Length) GrowLocked();
            _ring[(_first + _count++) & (_ring.Length - 1)] = (array, now);
            NoteOldestLocked();
        }
    }

    private byte[] TakeLocked(int index)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        ref var entry = ref _ring[index & (_ring.Length - 1)];
        var array = entry.Array;
        entry = default;
        if (--_count == 0) NoteOldestLocked();
        return array;
    }

    private void NoteOldestLocked()
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        Volatile.Write(ref _oldestAt, _count == 0 ? Never : _ring[_first & (_ring.Length - 1)].At);
    }

    private void GrowLocked()
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        var ring = new (byte[] Array, long At)[Math.Max(FirstCapacity, _ring.Length * 2)];
        for (int i = 0; i < _count; i++) ring[i] = _ring[(_first + i) & (_ring.Length - 1)];
        (_ring, _first) = (ring, 0);
    }
}
