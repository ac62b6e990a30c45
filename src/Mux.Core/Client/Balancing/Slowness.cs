using System.Diagnostics;
using System.Runtime.InteropServices;

namespace Mux.Client;

/// <summary>
/// How many times slower an endpoint is than the others, from timed calls: the round trip of each is compared with the mean of its method over all endpoints.
/// Falls with a time constant of 1 s, and rises faster: a late reply counts for as long as it took, with a time constant of 30 ms. Finagle's "peak EWMA"
/// (https://twitter.github.io/finagle/guide/Clients.html#power-of-two-choices-p2c-least-loaded) rises at once, so that one reply of 0.1 ms that a scheduler
/// delays by 1 ms takes the calls of a second from an endpoint. Here such a reply makes 4 % of the difference, ten in a row 31 %, a pause of 50 ms 81 %. And it
/// is relative to the method, with a bound and a shorter memory: a pause costs an endpoint a part of its calls, not nearly all. A stall shows before its reply,
/// by the age of timed calls that are still open: for a second, and twice as long each time until a reply comes in time. One call that waits for an event, or a
/// handler that hangs, is no stall, and nothing else would ever show that the server is well. Safe for concurrent use; the lock is taken for timed calls alone.
/// </summary>
internal sealed class Slowness(MethodMeans means)
{
    /// <summary>Timed calls that may be open at the same time. Long ones must not keep short ones from being timed.</summary>
    public const int MaxOpen = 8;

    /// <summary>Most that round trips can tell.</summary>
    public const double MaxSlow = 4;

    /// <summary>Most that the age of an open call can tell.</summary>
    public const double MaxLate = 64;

    /// <summary>Returned for a call that is not timed.</summary>
    public const int NotTimed = -1;

    /// <summary>Microseconds for which the age of an open call is evidence, the first time and at most.</summary>
    public const long ShortestPatience = 1_000_000, LongestPatience = 64_000_000;

    /// <summary>Most that round trips tell of an endpoint that has just opened, times what is typical, and for how many microseconds.</summary>
    public const double MaxSlowWhileNew = 1.5;

    private const long NewFor = 5_000_000;

    private const double LeastRatio = 1.0 / 8; // of one round trip to its mean
    private const double Memory = 1_000_000; // microseconds: the time constant
    private const double Evidence = 30_000; // microseconds: the time constant of a rise, by the time that late replies took
    private const long Unsampled = 100_000; // microseconds without a timed call, after which the factor returns to what is typical

    private readonly Lock _gate = new();
    private readonly OpenSample[] _open = new OpenSample[MaxOpen]; // written under the lock, read by picks as it is
    private double _slow = 1;
    private long _slowAt; // under the lock
    private long _sampledAt = long.MinValue / 2; // long ago; under the lock
    private long _lateFrom = long.MaxValue; // when the first of the open samples exceeds the mean of its method
    private long _patience = ShortestPatience; // under the lock
    private long _newUntil = long.MinValue; // under the lock

    /// <summary>Number of tickets that have not ended. Any thread.</summary>
    public int OpenCount
    {
        get
        {
            lock (_gate) return _open.Count(static sample => sample.IsOpen);
        }
    }

    /// <summary>What round trips tell; without the age of open calls. Any thread.</summary>
    public double OfRoundTrips => Volatile.Read(ref _slow);

    /// <summary>True if what is known of it is of calls of the last moment, and no allowance is made for cold code: it tells what is typical.</summary>
    public bool IsTypicalAt(long now)
    {
        lock (_gate) return now >= _newUntil && now - _sampledAt < Unsampled;
    }

    /// <summary>True if what is known of it is of calls of the last moment. Any thread.</summary>
    public bool WasTimedAt(long now)
    {
        lock (_gate) return now - _sampledAt < Unsampled;
    }

    /// <summary>Gets the factor on the score: above 1 for an endpoint slower than the mean. Two loads and a comparison, while no timed call is late.</summary>
    public double FactorAt(long now)
    {
        double slow = Volatile.Read(ref _slow);
        return now <= Volatile.Read(ref _lateFrom) ? slow : Math.Max(slow, LateAt(now));
    }

    /// <summary>Begins to time a call, if it is its connection's turn. Every call that gets a ticket must end.</summary>
    /// <param name="gate">The gate of the connection.</param>
    /// <param name="method">Index of the method.</param>
    /// <param name="now">The current time.</param>
    /// <returns>A ticket for <see cref="End"/>; or <see cref="NotTimed"/>.</returns>
    public int TryBegin(ref SampleGate gate, int method, long now)
    {
        if (!means.IsTimed(method, now) || !gate.TryPass(now)) return NotTimed;
        lock (_gate)
        {
            for (int ticket = 0; ticket < _open.Length; ticket++)
            {
                ref var sample = ref _open[ticket];
                if (sample.IsOpen) continue;
                double mean = means.Of(method);
                (sample.Method, sample.Mean, sample.BeganAt) = (method, mean, now);
                Volatile.Write(ref sample.Since, now); // last: a pick that sees it sees the rest
                sample.IsOpen = true;
                if (mean > 0) Volatile.Write(ref _lateFrom, Math.Min(_lateFrom, now + (long)mean));
                return ticket;
            }
        }

        return NotTimed;
    }

    /// <summary>
    /// The endpoint has opened. Its code is cold, and would stay so if its first replies took its calls away. Only the age of open calls tells much for now.
    /// </summary>
    public void OnOpened(long now)
    {
        lock (_gate)
        {
            _newUntil = now + NewFor;
            Volatile.Write(ref _slow, Math.Min(_slow, MaxSlowWhileNew * means.Typical));
        }
    }

    /// <summary>The timed call has ended.</summary>
    /// <param name="ticket">From <see cref="TryBegin"/>.</param>
    /// <param name="replied">
    /// True if the server has answered it, by a reply or a failure of its own. Others may have ended early, by a cancel or a lost connection: they show at most
    /// that the endpoint was slow.
    /// </param>
    /// <param name="now">The current time, not that of a batch which began earlier: a stall lies between the two.</param>
    public void End(int ticket, bool replied, long now)
    {
        lock (_gate)
        {
            var sample = CloseLocked(ticket);
            double roundTrip = Math.Max(now - sample.BeganAt, 1);
            double mean = sample.Mean > 0 ? sample.Mean : means.Of(sample.Method);
            bool isLate = roundTrip > mean;
            if (replied && roundTrip <= mean * MaxSlow) _patience = ShortestPatience;
            if (sample.Since == long.MaxValue) return; // set aside: it was evidence for as long as it could be
            if (replied || isLate) means.Add(sample.Method, roundTrip, now);
            if (mean > 0 && (replied || isLate)) ApplyLocked(roundTrip, mean, now);
        }
    }

    /// <summary>The timed call was given back, and the server has not seen it: that tells nothing.</summary>
    /// <param name="ticket">From <see cref="TryBegin"/>.</param>
    public void Drop(int ticket)
    {
        lock (_gate) CloseLocked(ticket);
    }

    /// <summary>Returns to what is typical while no call is timed, and sets aside open calls that were evidence for long enough. Called each 0.1 s.</summary>
    public void Refresh(long now)
    {
        lock (_gate)
        {
            if (now - _sampledAt >= Unsampled) ApproachLocked(means.Typical, now);
            if (now - _lateFrom >= _patience) SetAsideLocked(now);
        }
    }

    private OpenSample CloseLocked(int ticket)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        ref var open = ref _open[ticket];
        Debug.Assert(open.IsOpen, "A ticket ends once.");
        var sample = open;
        open.IsOpen = false;
        Volatile.Write(ref open.Since, long.MaxValue);
        FindLateLocked();
        return sample;
    }

    private void SetAsideLocked(long now)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        foreach (ref var sample in _open.AsSpan())
        {
            if (sample.IsOpen && sample.Mean > 0 && sample.Since < now - (long)sample.Mean) Volatile.Write(ref sample.Since, long.MaxValue);
        }

        _patience = Math.Min(_patience * 2, LongestPatience);
        FindLateLocked();
    }

    private void ApplyLocked(double roundTrip, double mean, long now)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        double ratio = Math.Max(roundTrip / mean, LeastRatio);
        ratio = Math.Min(ratio, now < _newUntil ? Math.Min(MaxSlowWhileNew * means.Typical, MaxSlow) : MaxSlow);
        ApproachLocked(ratio, now, ratio > _slow ? roundTrip / Evidence : 0);
        _sampledAt = now;
    }

    /// <summary>Moves the factor towards a value, by the time that has passed; or by what tells more.</summary>
    private void ApproachLocked(double value, long now, double evidence = 0)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        double part = 1 - Math.Exp(-Math.Max(Math.Max(now - _slowAt, 0) / Memory, evidence));
        Volatile.Write(ref _slow, _slow + ((value - _slow) * part));
        _slowAt = now;
    }

    private void FindLateLocked()
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        long first = long.MaxValue;
        foreach (ref var sample in _open.AsSpan())
        {
            if (sample.IsOpen && sample.Mean > 0 && sample.Since != long.MaxValue) first = Math.Min(first, sample.Since + (long)sample.Mean);
        }

        Volatile.Write(ref _lateFrom, first);
    }

    /// <summary>Age of the open samples in means of their methods. Without the lock: a sample that begins or ends meanwhile is seen or not.</summary>
    private double LateAt(long now)
    {
        double late = 0;
        foreach (ref var sample in _open.AsSpan())
        {
            long since = Volatile.Read(ref sample.Since);
            if (since < now && sample.Mean > 0) late = Math.Max(late, (now - since) / sample.Mean);
        }

        return Math.Min(late, MaxLate);
    }

    private struct OpenSample
    {
        public long Since; // from when its age is evidence; never if it is not open, or set aside
        public long BeganAt;
        public double Mean; // of the method when the call began; 0 if it was not known
        public int Method;
        public bool IsOpen;
    }
}

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

/// <summary>
/// Lets one call per connection and 10 ms be timed. A field of the connection's state, not copied. Safe for concurrent use: a call that is not timed costs a
/// comparison.
/// </summary>
internal struct SampleGate
{
    /// <summary>Microseconds between two timed calls of a connection.</summary>
    public const long Interval = 10_000;

    private long _nextAt;

    /// <summary>True if the next call should be timed.</summary>
    public readonly bool IsDue(long now) => now >= _nextAt;

    /// <summary>Takes the right to time a call. False if another thread was faster.</summary>
    public bool TryPass(long now)
    {
        long next = Volatile.Read(ref _nextAt);
        return now >= next && Interlocked.CompareExchange(ref _nextAt, now + Interval, next) == next;
    }
}
