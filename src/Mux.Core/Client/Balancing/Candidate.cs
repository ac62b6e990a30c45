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
