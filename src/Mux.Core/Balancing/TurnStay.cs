namespace Mux.Balancing;

/// <summary>
/// Lets the next calls of a turn stay where they are without a comparison: comparing ten connections costs 60 ns, and between two comparisons loads drift apart
/// by at most 16 calls. Owned by the turn; for an endpoint with several connections, a race between two of their turns costs a comparison.
/// </summary>
internal struct TurnStay
{
    private const int CallsPerLook = 16;

    private int _callsLeft;
    private int _upTo;

    /// <summary>True if the next call stays. Counts it.</summary>
    /// <param name="load">The load here.</param>
    public bool TryStay(int load) => --_callsLeft >= 0 && load <= _upTo;

    /// <summary>Notes a comparison that this place has won: it stays the best until its load exceeds <paramref name="load"/>.</summary>
    public void UpTo(int load) => (_callsLeft, _upTo) = (CallsPerLook, load);
}
