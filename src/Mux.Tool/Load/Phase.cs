using System.Diagnostics;
using Mux.Tool.Measuring;

namespace Mux.Tool.Load;

/// <summary>A phase of a run that is reported once a second: the warm-up, or the measurement.</summary>
/// <param name="state">State of the run.</param>
/// <param name="load">Load of the run.</param>
/// <param name="isWarmup">True for the warm-up.</param>
/// <param name="planned">Planned length.</param>
/// <param name="plannedCalls">Number of calls after which the phase ends; null if only its time decides.</param>
/// <param name="patienceSeconds">Seconds without a reply after which a number of calls is given up.</param>
internal sealed class Phase(
    LoadState state, Load load, bool isWarmup, TimeSpan planned, long? plannedCalls = null, int patienceSeconds = BenchRun.QuietSeconds)
{
    private static readonly TimeSpan s_interval = TimeSpan.FromSeconds(1);

    private readonly List<ProgressSample> _samples = [];
    private long _startedAt = Stopwatch.GetTimestamp();
    private readonly LatencyHistogram _before = state.Recorders.SumInto(new LatencyHistogram());
    private readonly LatencyHistogram _stretch = new();
    private LatencyHistogram _previous = state.Recorders.SumInto(new LatencyHistogram());
    private LatencyHistogram _current = new();
    private long _items = ReceivedBy(state);

    /// <summary>Its duration; shorter than planned if the run was ended early.</summary>
    public TimeSpan Elapsed { get; private set; }

    public IReadOnlyList<ProgressSample> Samples => _samples;

    /// <summary>Starts its clock again, for a load that starts only now.</summary>
    public void StartClock() => _startedAt = Stopwatch.GetTimestamp();

    /// <summary>Waits for the planned end, the loss of a connection or the user's interruption, whichever comes first.</summary>
    /// <param name="report">Called once a second.</param>
    /// <param name="interrupted">The user's interruption.</param>
    /// <param name="ended">Completes when the load has ended by itself, which ends the phase; null for a load that does not.</param>
    public async Task PassAsync(Action<ProgressSample> report, CancellationToken interrupted, Task? ended = null)
    {
        var next = TimeSpan.Zero;
        int quietSeconds = 0;
        while (Elapsed < planned && quietSeconds < patienceSeconds && ended is not { IsCompleted: true } && !state.Lost.IsCompleted
            && !interrupted.IsCancellationRequested)
        {
            next = TimeSpan.FromTicks(Math.Min((next + s_interval).Ticks, planned.Ticks));
            var left = next - Stopwatch.GetElapsedTime(_startedAt);
            if (left > TimeSpan.Zero)
            {
                await Task.WhenAny(Task.Delay(left, TimeProvider.System, interrupted), state.Lost, ended ?? state.Lost).ConfigureAwait(false);
            }

            var sample = TakeSample();
            report(sample);

            // A load that waits only for lost replies would not end by itself.
            quietSeconds = plannedCalls is not null && sample.Calls == 0 ? quietSeconds + 1 : 0;
        }
    }

    /// <summary>Gets the latencies of the replies during the phase.</summary>
    public LatencyHistogram Latencies()
    {
        var latencies = new LatencyHistogram();
        latencies.SetDifference(_previous, _before);
        return latencies;
    }

    private static long ReceivedBy(LoadState state) =>
        state.Cut is null ? 0 : state.Recorders.SumInto(new LatencyHistogram(), Measured.Received).Replies;

    private ProgressSample TakeSample()
    {
        state.Recorders.SumInto(_current);
        var elapsed = Stopwatch.GetElapsedTime(_startedAt);
        _stretch.SetDifference(_current, _previous);
        var sample = new ProgressSample(
            isWarmup,
            elapsed,
            planned,
            Length: elapsed - Elapsed,
            _stretch.Replies,
            _stretch.Percentile(0.5),
            _stretch.Percentile(0.99),
            Total: _current.Replies - _before.Replies,
            Errors: _current.WrongReplies + state.Failures().Values.Sum())
        {
            P999 = _stretch.Percentile(0.999),
            Counts = load.Counts,
            PlannedCalls = plannedCalls,
            Items = state.Cut is null ? null : ReceivedBy(state) - _items,
        };
        _items += sample.Items ?? 0;
        Elapsed = elapsed;
        (_previous, _current) = (_current, _previous);
        _samples.Add(sample);
        return sample;
    }
}
