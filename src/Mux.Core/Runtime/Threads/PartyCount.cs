namespace Mux.Runtime;

/// <summary>
/// Counts the parties that may still use a resource. A party enters before use and leaves after it; the last one to leave releases the resource. After that, no
/// party can enter. Use as a field and do not copy. Thread-safe.
/// </summary>
internal struct PartyCount
{
    private int _count;

    /// <summary>True if no party is left, or none has entered yet.</summary>
    public readonly bool IsEmpty => _count == 0;

    /// <summary>Number of parties.</summary>
    public int Count => Volatile.Read(ref _count);

    /// <summary>Enters the first parties, such as the owner. Before this, no other party can enter.</summary>
    public void Open(int parties = 1) => _count = parties;

    /// <summary>Enters a party. False if the count is not open yet or the last party has left.</summary>
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

    /// <summary>Leaves as a party.</summary>
    /// <returns>True if it was the last party.</returns>
    public bool Leave() => Interlocked.Decrement(ref _count) == 0;
}
