namespace Mux.Engine;

/// <summary>
/// The streams of one connection whose items are pushed, and which have no end of their own: they would hold a drain until its time is over. Safe for
/// concurrent use.
/// </summary>
internal sealed class PushedStreams
{
    private readonly Lock _gate = new();
    private HashSet<IPushedStream>? _streams = []; // null once this side drains

    /// <summary>Adds a stream that is to end when this side begins to drain.</summary>
    /// <returns>False if it drains already.</returns>
    public bool TryAdd(IPushedStream stream)
    {
        lock (_gate) return _streams?.Add(stream) ?? false;
    }

    /// <summary>Removes a stream that has ended.</summary>
    public void Remove(IPushedStream stream)
    {
        lock (_gate) _streams?.Remove(stream);
    }

    /// <summary>This side drains: ends all streams, and those that come.</summary>
    public void End()
    {
        HashSet<IPushedStream>? ended;
        lock (_gate) (ended, _streams) = (_streams, null);
        foreach (var stream in ended ?? []) stream.OnDraining();
    }
}

/// <summary>A stream without an end of its own.</summary>
internal interface IPushedStream
{
    /// <summary>This side drains: the stream ends. Any thread, at most once.</summary>
    void OnDraining();
}
