using Mux.Discovery;

namespace Mux.Client;

/// <summary>
/// One endpoint of a channel, as balancing sees it. Loads are read by any thread; all other members that change it are called under the router's lock, unless
/// they say otherwise. A score is read by any thread, and may mix values of two moments.
/// </summary>
internal abstract class Candidate
{
    /// <summary>Share of its weight with which an endpoint begins.</summary>
    private const double LeastRamp = 0.1;

    /// <summary>Share of its weight while it is full, compared with others of its zone.</summary>
    private const double FullShare = 0.25;

    /// <summary>Open calls of this channel with which an endpoint of the own zone still counts as idle compared with those of other zones.</summary>
    private const int RoomOfZone = 16;

    /// <summary>Calls by its hint with which it counts as idle then: a server that uses up to four fifths of its processors has room.</summary>
    private const double HintOfZone = 4;

    private readonly BalancingSettings _settings;
    private double _hint;
    private double _factor;
    private bool _takesNothing;
    private int _refused; // priorities, as bits
    private TurnStay _stay;

    protected Candidate(MuxEndpoint endpoint, BalancingSettings settings, MethodMeans means)
    {
        _settings = settings;
        Slowness = new Slowness(means);
        Ejection = new Ejection(settings.EjectionTime, settings.MaxEjectionTime);
        Endpoint = endpoint;
    }

    /// <summary>Number of calls of this channel that are open or waiting there. Read by any thread; may be a little off.</summary>
    public abstract int Load { get; }

    /// <summary>True if a connection takes calls now. Read by any thread.</summary>
    public abstract bool IsOpen { get; }

    /// <summary>Number of calls that have ended there so far, with any status. Read by any thread at faults and every 100 ms; may lag.</summary>
    public abstract long Completed { get; }

    /// <summary>The endpoint as the source reports it now.</summary>
    public MuxEndpoint Endpoint
    {
        get;
        set
        {
            field = value;
            IsNear = _settings.Zone is null || value.Zone is null || value.Zone == _settings.Zone;
            UpdateFactor(RefreshedAt);
        }
    }

    public Slowness Slowness { get; }

    public EndpointHint Hint { get; } = new();

    public EndpointRoom Room { get; } = new();

    public FaultWindow Faults { get; } = new();

    public Ejection Ejection { get; }

    /// <summary>Time at which it began to take calls, or took them again after an ejection. Its share grows from then on.</summary>
    public long OpenedAt { get; private set; } = long.MinValue / 2; // long ago

    /// <summary>True if it was open when the present set was built. Written by <see cref="CandidateSet"/>, under the router's lock.</summary>
    public bool WasOpen { get; set; }

    /// <summary>True if the present set gives calls to it. Written by <see cref="CandidateSet"/>.</summary>
    public bool IsPickable
    {
        get => Volatile.Read(ref field);
        set => Volatile.Write(ref field, value);
    }

    /// <summary>
    /// True if it gets calls only while the others are closed or ejected: the source says that it leaves, or the server itself has said that it is about to
    /// stop. Read by any thread.
    /// </summary>
    public bool IsLeaving => Endpoint.IsLeaving || Volatile.Read(ref _takesNothing);

    /// <summary>Bits of the priorities of which the server refuses all calls at present: see <see cref="BitOf"/>. Read by any thread.</summary>
    public int RefusedPriorities => Volatile.Read(ref _refused);

    /// <summary>False if it is in another zone than this process.</summary>
    public bool IsNear { get; private set; }

    /// <summary>The parts of the score that only time and the source change: zone / (weight * ramp), where a weight of 100 is 1.</summary>
    public double Factor => Volatile.Read(ref _factor);

    /// <summary>
    /// True while the server has no room for one call more of this channel, as it said when it refused one. Any thread.
    /// </summary>
    public bool IsFullAt(long now) => Room.IsLimitedAt(now) && Load >= Room.At(now);

    private long RefreshedAt { get; set; }

    /// <summary>Gets the bit of a priority in a set of them.</summary>
    public static int BitOf(MuxCallPriority priority) => 1 << (int)priority;

    /// <summary>True if the server refuses all calls of a priority at present. Read by any thread.</summary>
    public bool Refuses(MuxCallPriority priority) => (RefusedPriorities & BitOf(priority)) != 0;

    /// <summary>Gets the score: the endpoint with the lowest gets the call.</summary>
    /// <param name="now">The current time; one of some ms ago will do.</param>
    /// <param name="call">What the new call adds to the load.</param>
    public double ScoreAt(long now, double call = 1) => ScoreOf(Load + call, now);

    /// <summary>
    /// Gets the score for a comparison with an endpoint of another zone. Calls leave the own zone when it is full or stands still, and not because it is busy:
    /// some open calls there and a part of the processors count as none, and on both sides round trips tell nothing.
    /// </summary>
    public double ScoreBesideZonesAt(long now) => (Math.Max(Load - FreeBesideZones, 0) + HintBesideZones + 1) * FactorBesideZonesAt(now);

    /// <summary>Gets the score without weight, ramp and zone: how busy or slow the endpoint is.</summary>
    public double PressureAt(long now) => (Load + 1 + Volatile.Read(ref _hint)) * Slowness.FactorAt(now);

    /// <summary>Gets the score that the endpoint has with a load that was just read.</summary>
    /// <param name="load">The load, and what the new call adds to it.</param>
    /// <param name="now">The current time; one of some ms ago will do.</param>
    public double ScoreOf(double load, long now) => (load + Volatile.Read(ref _hint)) * Slowness.FactorAt(now) * FactorAt(now);

    /// <summary>The first of its connections has opened.</summary>
    public void OnOpened(long now)
    {
        OpenedAt = now;
        Ejection.OnOpened(Completed);
        Slowness.OnOpened(now);
        UpdateFactor(now);
    }

    /// <summary>None of its connections takes calls.</summary>
    public void OnClosed() => Ejection.OnClosed();

    /// <summary>Brings what depends on the time up to date. Called every 100 ms or so.</summary>
    /// <returns>True if the set must be built anew: the server refuses other calls than before.</returns>
    public bool Refresh(long now)
    {
        RefreshedAt = now;
        bool takesNothing = Hint.TakesNothingAt(now);
        int refused = Hint.RefusedPrioritiesAt(now);
        bool hasChanged = takesNothing != _takesNothing || refused != _refused;
        Volatile.Write(ref _takesNothing, takesNothing);
        Volatile.Write(ref _refused, refused);
        Volatile.Write(ref _hint, Hint.LoadAt(now));
        Slowness.Refresh(now);
        Faults.Refresh(Completed, now);
        UpdateFactor(now);
        return hasChanged;
    }

    /// <summary>A call has ended there by a fault: see <see cref="EndpointFaults"/>. Called by any thread, without a lock.</summary>
    /// <returns>True if <see cref="EjectionRules.TryEject"/> must decide now.</returns>
    public bool OnFault(long now) => Faults.OnFault(Completed, now) || Ejection.IsProbing;

    /// <summary>A dial failed, or a connection was lost; not one that was drained, idle or closed by this side. Called by any thread, without a lock.</summary>
    /// <param name="wasOfUse">True if it had been open for a while, or had brought replies.</param>
    /// <returns>True if <see cref="EjectionRules.TryEject"/> must decide now.</returns>
    public bool OnConnectionFault(bool wasOfUse) => Faults.OnConnectionFault(wasOfUse) || Ejection.IsProbing;

    /// <summary>True if a continuation's next call stays here without a comparison: never if it would be the only one. In turns only.</summary>
    public bool TryStay() => IsPickable && _stay.TryTake() && Load is > 0 and var load && _stay.Covers(load);

    /// <summary>Notes a comparison that this endpoint has won in its turn: it would win until its own score exceeds those of the others.</summary>
    /// <param name="score">The score of the other one.</param>
    /// <param name="zoneScore">The score of one in another zone: see <see cref="ScoreBesideZonesAt"/>.</param>
    /// <param name="now">The current time.</param>
    public void StayUpTo(double score, double zoneScore, long now)
    {
        double load = (score / (Slowness.FactorAt(now) * FactorAt(now))) - Volatile.Read(ref _hint);
        double zoneLoad = (zoneScore / FactorBesideZonesAt(now)) - HintBesideZones + FreeBesideZones;
        _stay.UpTo((int)Math.Min(Math.Min(load, zoneLoad) - 1, Room.At(now) - 1));
    }

    /// <summary>Open calls that count as none compared with an endpoint of another zone.</summary>
    private int FreeBesideZones => IsNear ? RoomOfZone : 0;

    private double HintBesideZones => IsNear ? Math.Max(Volatile.Read(ref _hint) - HintOfZone, 0) : Volatile.Read(ref _hint);

    private double FactorBesideZonesAt(long now) => Math.Max(Slowness.FactorAt(now) / Slowness.MaxSlow, 1) * FactorAt(now);

    private double FactorAt(long now) => IsFullAt(now) ? Factor / FullShare : Factor;

    private void UpdateFactor(long now)
    {
        double ramp = _settings.SlowStart == 0 ? 1 : Math.Clamp((double)(now - OpenedAt) / _settings.SlowStart, LeastRamp, 1);
        double zone = IsNear ? 1 : _settings.ZoneFactor;
        Volatile.Write(ref _factor, zone * MuxEndpoint.DefaultWeight / (Endpoint.Weight * ramp));
    }
}

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

/// <summary>
/// How many calls of this channel an endpoint has room for, as its refusals tell. A refusal of one call says nothing
/// about the calls that run: a server at its limit still serves as many as it has, and only the excess must go
/// elsewhere. So the load at which it refused is the room until the time is over for which it asks to wait, and grows
/// from then on, faster and faster, until it refuses again or a second has passed: a call more each time would take
/// minutes after other clients have left. Written by the turns of its connections and read by picks, without a lock: a
/// mixture of two refusals is corrected by the next.
/// </summary>
internal sealed class EndpointRoom
{
    /// <summary>What <see cref="At"/> gives while nothing is known: room for all.</summary>
    public const int Unlimited = int.MaxValue;

    /// <summary>
    /// Microseconds for which one refusal makes a difference, at most. A server that is still full then refuses again;
    /// one that errs in the unit gets calls.
    /// </summary>
    private const long LongestWait = 10_000_000;

    /// <summary>
    /// Part of the load that stays free: clients that came first leave some to those that come later, and few calls are
    /// refused.
    /// </summary>
    private const int Margin = 16;

    /// <summary>Microseconds in which the growth doubles, from one call on.</summary>
    private const long StepTime = 100_000;

    /// <summary>Doublings, to a growth of a thousand calls: then nothing is known.</summary>
    private const int Steps = 10;

    private int _room;
    private long _roundEnds = long.MinValue; // of the refusals that tell the room together
    private long _waitsUntil = long.MinValue;
    private long _knownUntil = long.MinValue;

    /// <summary>The server refused a call, and asked the client to wait before it calls again.</summary>
    /// <param name="load">Number of calls of this channel that are open there, without the refused one.</param>
    /// <param name="wait">Microseconds; more than 10 s count as 10 s.</param>
    /// <param name="now">The current time.</param>
    public void OnRefused(int load, long wait, long now)
    {
        int room = load - (load / Margin);
        long until = now + Math.Min(wait, LongestWait);
        // Of calls that were sent together, the last one that is refused tells best how many were not. The first one
        // says how long that holds: if each did, a server that always refuses some would never have more room again.
        bool isNext = now >= _roundEnds;
        Volatile.Write(ref _room, isNext ? room : Math.Min(room, _room));
        if (isNext) _roundEnds = until;
        Volatile.Write(ref _waitsUntil, until);
        Volatile.Write(ref _knownUntil, until + (Steps * StepTime));
    }

    /// <summary>
    /// No connection is left to the server that has refused: the next one may lead to another process.
    /// </summary>
    public void Forget() => _roundEnds = _waitsUntil = _knownUntil = long.MinValue;

    /// <summary>True if there may be no room for one call more: <see cref="At"/> tells.</summary>
    public bool IsLimitedAt(long now) => now < Volatile.Read(ref _knownUntil);

    /// <summary>Gets the number of calls that may be open there.</summary>
    public int At(long now)
    {
        if (!IsLimitedAt(now)) return Unlimited;
        long passed = now - Volatile.Read(ref _waitsUntil);
        return Volatile.Read(ref _room) + (passed < 0 ? 0 : 1 << (int)Math.Min(passed / StepTime, Steps));
    }
}

/// <summary>
/// Lets the next calls of a turn stay where they are without a comparison: comparing ten connections costs 60 ns, and between two comparisons loads drift apart
/// by at most 16 calls. Owned by the turn; for an endpoint with several connections, a race between two of their turns costs a comparison.
/// </summary>
internal struct TurnStay
{
    private const int CallsPerLook = 16;

    private int _callsLeft;
    private int _upTo;

    /// <summary>Takes one of the calls that stay. To be asked before the load, whose sum over connections costs more.</summary>
    /// <returns>False if the next call must be compared.</returns>
    public bool TryTake()
    {
        if (_callsLeft <= 0) return false; // below it after a race
        _callsLeft--;
        return true;
    }

    /// <summary>True if this place is still the best.</summary>
    /// <param name="load">The load here.</param>
    public readonly bool Covers(int load) => load <= _upTo;

    /// <summary>Notes a comparison that this place has won: it stays the best until its load exceeds <paramref name="load"/>.</summary>
    public void UpTo(int load) => (_callsLeft, _upTo) = (CallsPerLook, load);
}
