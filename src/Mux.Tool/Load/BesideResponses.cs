using Mux.Tool.Measuring;

namespace Mux.Tool.Load;

/// <summary>What is measured beside the response times of all calls: from when it is made until <see cref="End"/>.</summary>
internal sealed class BesideResponses
{
    private static readonly Measured[] s_kinds = [Measured.Service, Measured.Lag, Measured.Slow, Measured.Others, Measured.Bulk];

    private readonly LoadState _state;
    private readonly Load _load;
    private readonly Dictionary<Measured, LatencyHistogram> _histograms = [];
    private LaneCounts _counts;

    public BesideResponses(LoadState state, Load load)
    {
        (_state, _load) = (state, load);
        foreach (var kind in s_kinds) _histograms[kind] = state.Recorders.SumInto(new LatencyHistogram(), kind);
        _counts = load.Counts;
    }

    /// <summary>Of the replies that are slow on purpose.</summary>
    public LatencyHistogram Slow => _histograms[Measured.Slow];

    /// <summary>Of the others, if there are such.</summary>
    public LatencyHistogram Others => _histograms[Measured.Others];

    /// <summary>Of the large replies beside the calls, if there are such.</summary>
    public LatencyHistogram Bulk => _histograms[Measured.Bulk];

    /// <summary>The measurement is over: from here on the figures are those of the time between.</summary>
    public void End()
    {
        var counts = _load.Counts;
        _counts = counts with { Made = counts.Made - _counts.Made, Dropped = counts.Dropped - _counts.Dropped };
        foreach (var kind in s_kinds)
        {
            var between = new LatencyHistogram();
            between.SetDifference(_state.Recorders.SumInto(new LatencyHistogram(), kind), _histograms[kind]);
            _histograms[kind] = between;
        }
    }

    /// <param name="configuration">The run's, of an open loop.</param>
    /// <param name="elapsed">How long was measured.</param>
    /// <param name="replies">That came meanwhile.</param>
    /// <param name="inFlight">Calls in flight, in even steps.</param>
    public ScheduleOutcome ToSchedule(BenchConfiguration configuration, TimeSpan elapsed, long replies, IReadOnlyList<int> inFlight) => new()
    {
        TargetRate = configuration.Rate!.Value,
        Tick = configuration.Tick.Length,
        Made = _counts.Made,
        Dropped = _counts.Dropped,
        Service = _histograms[Measured.Service],
        Lag = _histograms[Measured.Lag],
        InFlight = inFlight,
        InvalidBecause = elapsed == TimeSpan.Zero
            ? []
            : Validity.Reasons(configuration.Rate.Value, elapsed, _counts, replies, _histograms[Measured.Lag], configuration.MaxLag),
    };
}
