namespace Mux.Buffers;

/// <summary>Arrays of one length, the last that was put back on top. Safe for concurrent use.</summary>
internal sealed class ArrayShelf
{
    private readonly Lock _gate = new();
    private readonly List<(byte[] Array, long At)> _arrays = []; // by time
    private long _bytes;

    /// <summary>Of all arrays.</summary>
    public long Bytes => Volatile.Read(ref _bytes);

    public byte[]? TryTake()
    {
        lock (_gate)
        {
            if (_arrays.Count == 0) return null;
            var array = _arrays[^1].Array;
            _arrays.RemoveAt(_arrays.Count - 1);
            _bytes -= array.Length;
            return array;
        }
    }

    public void Put(byte[] array, long now)
    {
        lock (_gate)
        {
            _arrays.Add((array, now));
            _bytes += array.Length;
        }
    }

    /// <summary>Takes out all that were put back before a time.</summary>
    public byte[][] TakeOld(long before)
    {
        lock (_gate)
        {
            int count = 0;
            while (count < _arrays.Count && _arrays[count].At < before) count++;
            if (count == 0) return [];
            var old = _arrays.Take(count).Select(entry => entry.Array).ToArray();
            _arrays.RemoveRange(0, count);
            _bytes -= old.Sum(array => (long)array.Length);
            if (_arrays.Count == 0) _arrays.TrimExcess();
            return old;
        }
    }
}
