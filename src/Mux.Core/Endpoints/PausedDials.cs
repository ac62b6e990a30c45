using Mux.Timing;

namespace Mux.Endpoints;

/// <summary>
/// The connections of a pool that are dialed when a pause is over: few, because one dial follows a failure. The ticker ends the pause, on its own thread,
/// because a timer of .NET would wait for a thread of the pool, which may be full of blocked code. The lock of the connection pool guards it, but for
/// <see cref="NextDue"/>.
/// </summary>
internal sealed class PausedDials(Clock clock, Action<long> onDue) : ITicked
{
    private readonly Ticker _ticker = Ticker.For(clock);
    private readonly List<(PooledConnection Connection, long At)> _paused = [];
    private long _due = Clock.Never;

    /// <inheritdoc/>
    public long NextDue => Volatile.Read(ref _due);

    /// <inheritdoc/>
    public void OnTick(long now) => onDue(now);

    /// <summary>The connection is dialed at <paramref name="at"/>, or a tick later.</summary>
    public void Add(PooledConnection connection, long at)
    {
        _paused.Add((connection, at));
        Volatile.Write(ref _due, Math.Min(_due, at));
        if (_paused.Count == 1) _ticker.Add(this);
        else _ticker.Request(at);
    }

    /// <summary>None of them is dialed before <paramref name="at"/>.</summary>
    public void Postpone(long at)
    {
        for (int i = 0; i < _paused.Count; i++) _paused[i] = _paused[i] with { At = Math.Max(_paused[i].At, at) };
        Update();
    }

    /// <returns>False if it is not paused.</returns>
    public bool TryRemove(PooledConnection connection)
    {
        if (_paused.RemoveAll(paused => paused.Connection == connection) == 0) return false;
        Update();
        return true;
    }

    /// <summary>Takes those whose pause is over.</summary>
    public List<PooledConnection>? TakeDue(long now)
    {
        if (_due > now) return null; // since the tick began
        List<PooledConnection> due = [.. _paused.Where(paused => paused.At <= now).Select(paused => paused.Connection)];
        _paused.RemoveAll(paused => paused.At <= now);
        Update();
        return due;
    }

    private void Update()
    {
        Volatile.Write(ref _due, _paused.Count == 0 ? Clock.Never : _paused.Min(paused => paused.At));
        if (_paused.Count == 0) _ticker.Remove(this); // the ticker does not keep a channel that is not disposed
    }
}
