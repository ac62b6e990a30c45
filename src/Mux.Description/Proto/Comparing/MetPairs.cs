namespace Mux.Description.Proto.Comparing;

/// <summary>The pairs of parts that were compared, of which a comparison may forget the last ones again.</summary>
/// <param name="messages">How many messages both sides have.</param>
internal sealed class MetPairs(int messages)
{
    // Circles of messages with other names have as many pairs as the product of their lengths. Each message of the code
    // takes the place of one or two others in contracts that people write.
    private readonly int _room = 1_000 + (4 * messages);
    private readonly HashSet<(string Recorded, string Current, bool IsArguments)> _pairs = [];
    private readonly List<(string Recorded, string Current, bool IsArguments)> _order = [];
    private int _renamed;
    private bool _isFull;

    /// <summary>Takes the room of one more pair of messages with different names.</summary>
    /// <returns>False if there is none.</returns>
    public bool TryTakeRoom() => ++_renamed <= _room;

    /// <summary>Notes that there was no room.</summary>
    /// <returns>False if that is known.</returns>
    public bool TryNoteFull()
    {
        if (_isFull) return false;
        _isFull = true;
        return true;
    }

    /// <returns>False if it was met before.</returns>
    public bool Add(string recorded, string current, bool isArguments)
    {
        var pair = (recorded, current, isArguments);
        if (!_pairs.Add(pair)) return false;
        _order.Add(pair);
        return true;
    }

    /// <summary>Gets a state to which <see cref="GoBack"/> returns.</summary>
    public (int Count, bool IsFull) Mark() => (_order.Count, _isFull);

    /// <summary>Forgets what was met since. The room that it took stays taken, so that attempts are bounded together.</summary>
    public void GoBack((int Count, bool IsFull) mark)
    {
        for (int i = mark.Count; i < _order.Count; i++) _pairs.Remove(_order[i]);
        _order.RemoveRange(mark.Count, _order.Count - mark.Count);
        _isFull = mark.IsFull;
    }
}
