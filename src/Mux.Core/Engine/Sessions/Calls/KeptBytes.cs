namespace Mux.Engine;

/// <summary>
/// Limits the bytes that one channel keeps of requests that it may send again, without those that are small enough for the array of their call. Safe for
/// concurrent use.
/// </summary>
/// <param name="limit">Bytes that may be kept. Calls beyond it are made as usual, and not repeated.</param>
internal sealed class KeptBytes(long limit)
{
    private long _used;

    /// <summary>Bytes kept now.</summary>
    public long Used => Volatile.Read(ref _used);

    public bool TryTake(int bytes)
    {
        if (Interlocked.Add(ref _used, bytes) <= limit) return true;
        Release(bytes);
        return false;
    }

    public void Release(int bytes) => Interlocked.Add(ref _used, -bytes);
}
