namespace Mux.Engine;

/// <summary>
/// Measures the round trip by PINGs that carry the time. They are sent now and then while credit is returned, so an idle connection sends none. Guarded by the
/// connection's lock.
/// </summary>
internal sealed class RoundTrip
{
    /// <summary>Time between two measurements, microseconds: a path changes more slowly.</summary>
    private const long Interval = 100_000;

    /// <summary>Time after which an answer is given up, microseconds: a peer that gets several PINGs at once answers only the last.</summary>
    private const long Patience = 10_000_000;

    private long _nextAt;
    private long _asked; // 0: no PING is out

    /// <summary>
    /// The shortest round trip seen, at least 1 microsecond; 0 if none was. The shortest, because the others waited in this side's own queues.
    /// </summary>
    public long Shortest { get; private set; }

    /// <summary>True if a PING that carries <paramref name="now"/> must be sent.</summary>
    public bool TryAsk(long now)
    {
        if (now < _nextAt || (_asked != 0 && now - _asked < Patience)) return false; // the next PING would make a long round trip's answer unknown
        _nextAt = now + Interval;
        _asked = now;
        return true;
    }

    /// <summary>Handles the answer to a PING.</summary>
    public void OnAnswer(ulong opaque, long now)
    {
        if (_asked == 0 || opaque != (ulong)_asked) return;
        long taken = Math.Max(1, now - _asked);
        _asked = 0;
        if (Shortest == 0 || taken < Shortest) Shortest = taken;
    }
}
