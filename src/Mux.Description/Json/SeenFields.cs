namespace Mux.Description.Json;

/// <summary>Which fields and oneofs the objects on the way have had.</summary>
internal sealed class SeenFields
{
    private ulong[] _bits = new ulong[64];
    private int _count;

    public void Clear() => _count = 0;

    /// <summary>Begins an object.</summary>
    /// <param name="bits">Number of fields and oneofs.</param>
    /// <returns>Where its bits begin.</returns>
    public int Begin(int bits)
    {
        int start = _count;
        _count += (bits + 63) / 64;
        if (_count > _bits.Length) Array.Resize(ref _bits, Math.Max(_count, 2 * _bits.Length));
        _bits.AsSpan(start, _count - start).Clear();
        return start;
    }

    public void End(int start) => _count = start;

    /// <returns>False if it was there before.</returns>
    public bool TryAdd(int start, int bit)
    {
        ref ulong word = ref _bits[start + bit / 64];
        ulong mask = 1ul << (bit % 64);
        bool isNew = (word & mask) == 0;
        word |= mask;
        return isNew;
    }
}
