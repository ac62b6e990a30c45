namespace Mux.Client;

/// <summary>
/// What a server says about itself: its utilisation, and which calls it refuses. Written by the turns of its
/// connections and read each 100 ms without a lock: a mixture of two hints is corrected by the next.
/// </summary>
internal sealed class EndpointHint
{
    /// <summary>A full server counts as one with so many calls more.</summary>
    private const double CallsWhenFull = 8;

    /// <summary>
    /// Below it a server counts as one with the calls that a single-server queue has in it at that utilisation, u / (1 - u): 0.1 at 10 %, 1 at half, 4 at 80 %
    /// (Kleinrock, "Queueing Systems", 1975, M/M/1). In proportion to the utilisation, a server whose code is being compiled had no calls while others idle.
    /// </summary>
    private const double FullFrom = CallsWhenFull / (CallsWhenFull + 1);

    private double _utilisation;
    private long _toldAt, _lasts;
    private bool _takesNothing;
    private int _refused; // priorities, as bits
    private long _refusesUntil = long.MinValue;

    /// <summary>The server told its utilisation.</summary>
    /// <param name="utilisation">0 to 1, clamped.</param>
    /// <param name="lasts">Microseconds until the hint has faded: servers that say no more must not be avoided, nor preferred, for ever.</param>
    /// <param name="now">The current time.</param>
    public void OnLease(double utilisation, long lasts, long now) => (_utilisation, _toldAt, _lasts) = (Math.Clamp(utilisation, 0, 1), now, lasts);

    /// <summary>The server told which calls it refuses; with neither of both, that it takes all.</summary>
    /// <param name="takesNothing">True if it is about to stop, so that calls go to others. It still serves those that come.</param>
    /// <param name="priorities">Bits of the priorities of which it refuses all calls: see <see cref="Candidate.BitOf"/>.</param>
    /// <param name="lasts">Microseconds for which that holds: a server that has fallen silent must not be avoided for ever.</param>
    /// <param name="now">The current time.</param>
    public void OnRefusals(bool takesNothing, int priorities, long lasts, long now)
    {
        (_takesNothing, _refused) = (takesNothing, priorities);
        _refusesUntil = lasts >= long.MaxValue - now ? long.MaxValue : now + lasts;
    }

    /// <summary>No connection is left to the server that told what it refuses: the next one may lead to another process.</summary>
    public void ForgetRefusals() => _refusesUntil = long.MinValue;

    /// <summary>Gets the calls that the hint adds to the load.</summary>
    public double LoadAt(long now)
    {
        long lasts = _lasts, age = now - _toldAt;
        if (lasts <= 0 || age >= lasts) return 0;
        double utilisation = _utilisation;
        double calls = utilisation >= FullFrom ? CallsWhenFull : utilisation / (1 - utilisation);
        return calls * (1 - ((double)age / lasts));
    }

    /// <summary>Time until which it refuses what it said.</summary>
    public long RefusesUntil => _refusesUntil;

    public bool TakesNothingAt(long now) => _takesNothing && now < _refusesUntil;

    public int RefusedPrioritiesAt(long now) => now < _refusesUntil ? _refused : 0;
}
