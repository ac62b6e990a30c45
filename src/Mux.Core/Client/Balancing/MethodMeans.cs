using System.Runtime.InteropServices;

namespace Mux.Client;

/// <summary>
/// Mean round trip of each method over all endpoints of a channel: what an endpoint's own round trips are compared with. A slow method is no evidence against
/// an endpoint. Safe for concurrent use: timed calls are rare, so writers share a lock.
/// </summary>
internal sealed class MethodMeans
{
    /// <summary>Timed calls after which a mean is used. Fewer may be those of one endpoint alone, or of code that the server had not compiled yet.</summary>
    public const int FirstCalls = 8;

    /// <summary>Microseconds over which a mean follows a method that becomes faster or slower everywhere.</summary>
    private const double Memory = 5_000_000;

    /// <summary>A round trip counts for at most this many means: one stall must not hide the next.</summary>
    private const double MostOfOne = 8;

    /// <summary>Mean above which a method is not timed: its calls wait for events, and its round trip does not depend on the server. Microseconds.</summary>
    private const double LongestTimed = 1_000_000;

    /// <summary>Microseconds after which a method that was too slow to be timed is timed again.</summary>
    private const long Retry = 10_000_000;

    private readonly Lock _gate = new();
    private readonly List<double> _factors = []; // of FindTypical
    private double _typical = 1;
    private Entry[] _entries = []; // by index of the method; replaced, never moved, so that readers need no lock

    /// <summary>
    /// The factor of a typical endpoint. An endpoint of which nothing is known counts like that: after a time in which all were slow, which the means remember
    /// for longer, the others are below 1, and on a noisy machine above it.
    /// </summary>
    public double Typical => Volatile.Read(ref _typical);

    /// <summary>Gets the mean in microseconds; 0 while it is not known.</summary>
    public double Of(int method) => Find(method) is { } entry ? entry.Known : 0;

    /// <summary>True if calls of a method tell something about the speed of a server.</summary>
    public bool IsTimed(int method, long now) => Find(method) is not { } entry || entry.Known < LongestTimed || now - entry.At >= Retry;

    /// <summary>Adds a round trip.</summary>
    public void Add(int method, double roundTrip, long now)
    {
        lock (_gate)
        {
            if ((uint)method >= (uint)_entries.Length)
            {
                var grown = new Entry[Math.Max(method + 1, _entries.Length * 2)];
                _entries.CopyTo(grown, 0);
                for (int i = _entries.Length; i < grown.Length; i++) grown[i] = new Entry();
                Volatile.Write(ref _entries, grown);
            }

            _entries[method].Add(roundTrip, now);
        }
    }

    /// <summary>
    /// Finds what is typical: the factor of those that have calls now, without those that have just opened, unless these
    /// have all the calls. Then one of them can lower it: else a moment in which all others were slow would keep the calls
    /// from them for as long as it is new. It cannot raise it: its code is cold, and what it may tell grows with it.
    /// Called each 0.1 s, by one thread at a time.
    /// </summary>
    /// <param name="open">Endpoints that are open.</param>
    /// <param name="now">The current time.</param>
    public void FindTypical(ReadOnlySpan<Slowness> open, long now)
    {
        _factors.Clear();
        foreach (var slowness in open)
        {
            if (slowness.IsTypicalAt(now)) _factors.Add(slowness.OfRoundTrips);
        }

        if (_factors.Count == 0)
        {
            foreach (var slowness in open)
            {
                if (slowness.WasTimedAt(now)) _factors.Add(Math.Min(Typical, slowness.OfRoundTrips));
            }
        }

        FindTypical(CollectionsMarshal.AsSpan(_factors));
    }

    /// <summary>Finds what is typical of these factors.</summary>
    /// <param name="factors">Those of the endpoints that tell it; sorted by this. With none it stays.</param>
    public void FindTypical(Span<double> factors)
    {
        if (factors.IsEmpty) return;
        factors.Sort();
        Volatile.Write(ref _typical, factors[(factors.Length - 1) / 2]); // of two the faster one: what is slow must not be the measure of itself
    }

    private Entry? Find(int method) => Volatile.Read(ref _entries) is var entries && (uint)method < (uint)entries.Length ? entries[method] : null;

    private sealed class Entry
    {
        private double _mean;
        private long _count;

        public double Known { get; private set; }

        public long At { get; private set; }

        public void Add(double roundTrip, long now)
        {
            if (Known >= LongestTimed) (Known, _count) = (0, 0); // timed again after a while: begins anew
            _count++;
            if (Known > 0) roundTrip = Math.Min(roundTrip, Known * MostOfOne);
            _mean += (roundTrip - _mean) * Math.Max(1.0 / _count, Math.Min((now - At) / Memory, 1.0 / FirstCalls));
            At = now;
            if (_count >= FirstCalls) Known = Math.Max(_mean, 1);
        }
    }
}
