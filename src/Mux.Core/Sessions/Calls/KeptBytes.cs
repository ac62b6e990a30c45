namespace Mux.Sessions.Calls;

/// <summary>
/// Limits the bytes that one channel keeps of requests that it may send again, without those that are small enough for the array of their call. Safe for
/// concurrent use.
/// </summary>
internal sealed class KeptBytes
{
    /// <summary>Bytes that may be kept. Calls beyond it are made as usual, and not repeated.</summary>
    public const long Limit = 16 * 1024 * 1024;

    private long _used;

    /// <summary>Bytes kept now.</summary>
    public long Used => Volatile.Read(ref _used);

    public bool TryTake(int bytes)
    {
        if (Interlocked.Add(ref _used, bytes) <= Limit) return true;
        Release(bytes);
        return false;
    }

    public void Release(int bytes) => Interlocked.Add(ref _used, -bytes);
}
