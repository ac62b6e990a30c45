using Mux.Engine;
using Mux.Runtime;

namespace Mux.Client;

/// <summary>
/// Connections of a pool that are dialed when a pause is over. They are few, because one dial follows a failure. The ticker ends the pause on its own thread: a
/// .NET timer would wait for a thread of the pool, which may be full of blocked code. Guarded by the lock of the connection pool, except <see cref="OnDue"/>.
/// </summary>
internal sealed class PausedDials(Clock clock, Action<long> onDue)
{
    private readonly DialSchedule _schedule = DialSchedule.For(clock);
    private readonly List<(Connection Connection, long At)> _paused = [];
    private long _due = Clock.Never;

    /// <summary>A pause is over. On the ticker's thread, without the lock.</summary>
    public void OnDue(long now) => onDue(now);

    /// <summary>Adds a connection to be dialed at <paramref name="at"/>, or a tick later.</summary>
    public void Add(Connection connection, long at)
    {
        _paused.Add((connection, at));
        Update();
    }

    /// <summary>Postpones all dials to <paramref name="at"/> or later.</summary>
    public void Postpone(long at)
    {
        for (int i = 0; i < _paused.Count; i++) _paused[i] = _paused[i] with { At = Math.Max(_paused[i].At, at) };
        Update();
    }

    /// <summary>Removes a connection.</summary>
    /// <returns>False if it is not paused.</returns>
    public bool TryRemove(Connection connection)
    {
        if (_paused.RemoveAll(paused => paused.Connection == connection) == 0) return false;
        Update();
        return true;
    }

    /// <summary>Takes the connections that are due.</summary>
    public List<Connection>? TakeDue(long now)
    {
        if (_due > now) return null; // postponed since the tick began
        List<Connection> due = [.. _paused.Where(paused => paused.At <= now).Select(paused => paused.Connection)];
        _paused.RemoveAll(paused => paused.At <= now);
        Update();
        return due;
    }

    /// <summary>Starts connections that need no pause. The lock is not held.</summary>
    public static void Start(List<Connection>? dialed)
    {
        foreach (var connection in dialed ?? []) connection.Start();
    }

    /// <summary>Starts connections that were due, on a thread that may block.</summary>
    public void StartFromTick(List<Connection> due) => _schedule.Start(due);

    private void Update()
    {
        _due = _paused.Count == 0 ? Clock.Never : _paused.Min(paused => paused.At);
        _schedule.Set(this, _due);
    }
}
