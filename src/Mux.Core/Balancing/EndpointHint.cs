namespace Mux.Balancing;

/// <summary>
/// What a server says about itself: its utilisation, and how long it asks clients to wait. Written by the turns of its connections and read each 100 ms without
/// a lock: a mixture of two hints is corrected by the next.
/// </summary>
internal sealed class EndpointHint
{
    /// <summary>A full server counts as one with so many calls more.</summary>
    private const double CallsWhenFull = 8;

    private double _utilisation;
    private long _toldAt, _lasts;
    private long _waitsUntil = long.MinValue;

    /// <summary>The server told its utilisation.</summary>
    /// <param name="utilisation">0 to 1, clamped.</param>
    /// <param name="lasts">Microseconds until the hint has faded: servers that say no more must not be avoided, nor preferred, for ever.</param>
    /// <param name="now">The current time.</param>
    public void OnLease(double utilisation, long lasts, long now) => (_utilisation, _toldAt, _lasts) = (Math.Clamp(utilisation, 0, 1), now, lasts);

    /// <summary>The server asked clients to wait, with a retry-after.</summary>
    /// <param name="wait">Microseconds.</param>
    /// <param name="now">The current time.</param>
    public void OnWait(long wait, long now) => _waitsUntil = wait >= long.MaxValue - now ? long.MaxValue : now + wait;

    /// <summary>Gets the calls that the hint adds to the load.</summary>
    public double LoadAt(long now)
    {
        long lasts = _lasts, age = now - _toldAt;
        return lasts <= 0 || age >= lasts ? 0 : CallsWhenFull * _utilisation * (1 - ((double)age / lasts));
    }

    public bool AsksToWaitAt(long now) => now < _waitsUntil;
}
