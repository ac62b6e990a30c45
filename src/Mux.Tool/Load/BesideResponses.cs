using Mux.Tool.Measuring;

namespace Mux.Tool.Load;

/// <summary>Histograms in addition to the response times of all calls, from construction until <see cref="End"/>.</summary>
internal sealed class BesideResponses
{
    private static readonly Measured[] s_kinds =
    [
        Measured.Service, Measured.Lag, Measured.Slow, Measured.Others, Measured.Bulk, Measured.FirstItem, Measured.Received, Measured.Sent,
    ];

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

    /// <summary>Latencies of deliberately slow replies.</summary>
    public LatencyHistogram Slow => _histograms[Measured.Slow];

    /// <summary>Latencies of the other replies, if there are slow ones.</summary>
    public LatencyHistogram Others => _histograms[Measured.Others];

    /// <summary>Latencies of the large replies of a mixed workload.</summary>
    public LatencyHistogram Bulk => _histograms[Measured.Bulk];

    /// <summary>Gets the items of a method with streams.</summary>
    public ItemsOutcome ToItems(MethodLoad method, TimeSpan elapsed) => new(
        method.HasResponseStream ? _histograms[Measured.Received].Replies : null,
        method.HasRequestStream ? _histograms[Measured.Sent].Replies : null,
        _histograms[Measured.FirstItem],
        elapsed);

    /// <summary>Ends the measurement: from now on the figures are those of the time in between.</summary>
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

    /// <param name="configuration">Configuration of the run, with an open loop.</param>
    /// <param name="elapsed">Measured time.</param>
    /// <param name="replies">Number of replies in that time.</param>
    /// <param name="inFlight">Calls in flight, sampled in even steps.</param>
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
