using Mux.Runtime;

namespace Mux.Engine;

/// <summary>
/// Counts the calls of this side that wait outside the connection until it has room. Their callers count on it: a drain of this side waits for them, and so
/// does the release of the connection. Safe for concurrent use; a struct, for each connection has one, and never copied.
/// </summary>
internal struct OutsideCalls
{
    /// <summary>The end that is told, and the end of the link: they come on different threads, in either order.</summary>
    private const int Ends = 2;

    private PartyCount _parties; // the two ends, and the calls

    public OutsideCalls() => _parties.Open(Ends);

    /// <summary>Number of calls that wait, while the connection is open.</summary>
    public int Count => Math.Max(0, _parties.Count - Ends);

    /// <summary>True if calls wait. The connection is open.</summary>
    public bool Any => _parties.Count > Ends;

    /// <summary>One more call waits. A full fence: what a drain has set by then is seen afterwards, or the drain sees the call.</summary>
    /// <returns>False if the connection is released.</returns>
    public bool TryAdd() => _parties.TryEnter();

    /// <summary>A call waits no longer, or one of the two ends has come.</summary>
    /// <returns>True if that was the last: the connection is released.</returns>
    public bool Remove() => _parties.Leave();
}
