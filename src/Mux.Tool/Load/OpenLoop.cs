using System.Diagnostics;
using Mux.Tool.Measuring;

namespace Mux.Tool.Load;

/// <summary>
/// Makes calls on a fixed schedule, whatever their outcome. A separate thread, the pacer, sleeps until a call is due, but at least for a
/// <see cref="PacerTick"/>, and then makes all due calls. In between, at moderate rates, the turns of the connections make the calls that have become due. So
/// low rates use hardly any CPU, and high rates send requests in batches.
/// </summary>
internal sealed class OpenLoop : Load
{
    // Maximum sleep of the pacer: it must notice the end of the run, and sample the calls in flight.
    private static readonly TimeSpan s_longestSleep = TimeSpan.FromMilliseconds(10);

    // Share of the warm-up; the rest of it runs at the full rate.
    private const double RampShare = 0.5;

    private readonly LoadState _state;
    private readonly LaneSchedule[] _lanes;
    private readonly TaskCompletionSource _paced = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly InFlightTrace _inFlight;
    private readonly PacerTick _tick;

    public OpenLoop(IReadOnlyList<TokenFactory> factories, BenchConfiguration configuration, LoadState state, InFlightTrace inFlight)
    {
        _state = state;
        _inFlight = inFlight;
        var schedule = new CallSchedule(configuration.Rate!.Value, Stopwatch.GetTimestamp(), RampShare * configuration.Warmup.TotalSeconds);
        _tick = configuration.Tick;
        int cap = Math.Max(1, configuration.MaxOpen / factories.Count);
        _lanes = new LaneSchedule[factories.Count];
        for (int i = 0; i < factories.Count; i++)
        {
            var factory = factories[i];
            _lanes[i] = new LaneSchedule(schedule, i, factories.Count, cap, MakeToken, turnsMakeCalls: !_tick.MakesAll);

            (CallToken Token, ScheduledPace Pace) MakeToken(LaneSchedule lane)
            {
                var pace = new ScheduledPace(state, lane);
                return (factory.Make(pace), pace);
            }
        }
    }

    public override LaneCounts Counts
    {
        get
        {
            var sum = default(LaneCounts);
            foreach (var lane in _lanes) sum += lane.Counts;
            return sum;
        }
    }

    public override async Task RunAsync()
    {
        new Thread(Pace) { IsBackground = true, Name = "pacer", Priority = ThreadPriority.AboveNormal }.Start();
        await _paced.Task.ConfigureAwait(false);
        await Task.WhenAll(_lanes.Select(lane => lane.CloseAsync())).ConfigureAwait(false);
    }

    public override void BeginMeasurement() => _inFlight.Restart();

    private void Pace()
    {
        try
        {
            PreciseSleep.PrepareThread();
            long lookedAt = 0;
            long patience = (long)(_tick.Length.TotalSeconds * Stopwatch.Frequency);
            while (!_state.IsStopping)
            {
                long now = Stopwatch.GetTimestamp();
                foreach (var lane in _lanes) lane.MakeOverdueCalls(now, patience);
                if (Stopwatch.GetElapsedTime(lookedAt, now) >= s_longestSleep)
                {
                    lookedAt = now;
                    _inFlight.Add(Counts.Open);
                }

                PreciseSleep.Sleep(UntilNext(now));
            }

            _paced.SetResult();
        }
        catch (Exception defect)
        {
            _paced.SetException(defect);
        }
    }

    /// <param name="tickAt">Start of the tick, whose own duration is part of it.</param>
    private TimeSpan UntilNext(long tickAt)
    {
        long now = Stopwatch.GetTimestamp();
        var left = Stopwatch.GetElapsedTime(now, _lanes.Min(lane => lane.NextAt));
        var leftOfTick = _tick.Length - Stopwatch.GetElapsedTime(tickAt, now);
        if (left < leftOfTick) left = leftOfTick;
        return left < PreciseSleep.Granularity ? PreciseSleep.Granularity : left > s_longestSleep ? s_longestSleep : left;
    }
}
