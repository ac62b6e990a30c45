namespace Mux.Server;

/// <summary>Watches of one connection. Safe for concurrent use.</summary>
internal sealed class WatcherCount
{
    private int _count;

    public bool TryEnter(int limit)
    {
        if (Interlocked.Increment(ref _count) <= limit) return true;
        Interlocked.Decrement(ref _count);
        return false;
    }

    public void Leave() => Interlocked.Decrement(ref _count);
}
