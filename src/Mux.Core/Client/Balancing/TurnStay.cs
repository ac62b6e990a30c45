namespace Mux.Client;

/// <summary>
/// Lets the next calls of a turn stay where they are without a comparison: comparing ten connections costs 60 ns, and between two comparisons loads drift apart
/// by at most 16 calls. Owned by the turn; for an endpoint with several connections, a race between two of their turns costs a comparison.
/// </summary>
internal struct TurnStay
{
    private const int CallsPerLook = 16;

    private int _callsLeft;
    private int _upTo;

    /// <summary>Takes one of the calls that stay. To be asked before the load, whose sum over connections costs more.</summary>
    /// <returns>False if the next call must be compared.</returns>
    public bool TryTake()
    {
        if (_callsLeft <= 0) return false; // below it after a race
        _callsLeft--;
        return true;
    }

    /// <summary>True if this place is still the best.</summary>
    /// <param name="load">The load here.</param>
    public readonly bool Covers(int load) => load <= _upTo;

    /// <summary>Notes a comparison that this place has won: it stays the best until its load exceeds <paramref name="load"/>.</summary>
    public void UpTo(int load) => (_callsLeft, _upTo) = (CallsPerLook, load);
}
