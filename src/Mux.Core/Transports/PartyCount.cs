namespace Mux.Transports;

/// <summary>
/// Counts those who may still use something: whoever begins to use it enters and leaves again, and the last to leave gives it back. Once that has happened
/// nobody enters any more. A field, never copied; any thread.
/// </summary>
internal struct PartyCount
{
    private int _count;

    /// <summary>The first party: the owner's. Before this nobody can enter.</summary>
    public void Open() => _count = 1;

    /// <summary>Lets a party in, unless nobody is left, or was there.</summary>
    public bool TryEnter()
    {
        int count = Volatile.Read(ref _count);
        while (count > 0)
        {
            int seen = Interlocked.CompareExchange(ref _count, count + 1, count);
            if (seen == count) return true;
            count = seen;
        }

        return false;
    }

    /// <summary>A party leaves.</summary>
    /// <returns>Whether it was the last.</returns>
    public bool Leave() => Interlocked.Decrement(ref _count) == 0;
}
