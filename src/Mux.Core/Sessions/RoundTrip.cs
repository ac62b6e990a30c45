namespace Mux.Sessions;

/// <summary>
/// How long a byte and its answer are on their way, by PINGs that carry the time: asked now and then while credit is returned, so that an idle connection asks
/// nothing. Guarded by the connection's lock.
/// </summary>
internal sealed class RoundTrip
{
    /// <summary>Between two questions, microseconds: a path changes more slowly.</summary>
    private const long Interval = 100_000;

    private long _nextAt;
    private long _asked; // 0: nothing is asked

    /// <summary>The shortest seen, at least 1 microsecond; 0 if none was. The shortest, because the others waited in queues of our own making.</summary>
    public long Shortest { get; private set; }

    /// <summary>Whether a PING that carries <paramref name="now"/> is to be sent.</summary>
    public bool TryAsk(long now)
    {
        if (now < _nextAt) return false;
        _nextAt = now + Interval;
        _asked = now;
        return true;
    }

    /// <summary>An answer came.</summary>
    public void OnAnswer(ulong opaque, long now)
    {
        if (_asked == 0 || opaque != (ulong)_asked) return;
        long taken = Math.Max(1, now - _asked);
        _asked = 0;
        if (Shortest == 0 || taken < Shortest) Shortest = taken;
    }
}
