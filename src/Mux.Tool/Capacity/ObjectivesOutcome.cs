using Mux.Tool.Commands;
using Mux.Tool.Load;
using Mux.Tool.Reporting;
using Mux.Tool.Reporting.Results;

namespace Mux.Tool.Capacity;

/// <summary>Objectives compared with the runs of a bench: with the medians of their percentiles, and with the failed calls of all.</summary>
/// <param name="Objectives">The objectives.</param>
/// <param name="Each">The outcome of each, in order.</param>
internal sealed record ObjectivesOutcome(Objectives Objectives, IReadOnlyList<ObjectiveOutcome> Each)
{
    /// <summary>False if one is missed; null if none is missed, but there were too few replies to tell of one.</summary>
    public bool? IsMet => Each.Any(one => one.IsMet == false) ? false : Each.All(one => one.IsMet == true) ? true : null;

    /// <param name="objectives">The objectives.</param>
    /// <param name="runs">At least one run.</param>
    public static ObjectivesOutcome Of(Objectives objectives, IReadOnlyList<BenchOutcome> runs) =>
        new(objectives, [.. objectives.Latencies.Select(objective => OfLatency(objective, runs)), .. OfErrors(objectives, runs)]);

    private static ObjectiveOutcome OfLatency(LatencyObjective objective, IReadOnlyList<BenchOutcome> runs)
    {
        double nanoseconds = Sample.Median(runs.Select(run => (double)run.Latencies.Percentile(objective.Quantile)));
        long fewest = runs.Min(run => run.Latencies.Count), needed = Objectives.SamplesFor(objective.Quantile);
        bool isBelow = fewest > 0 && nanoseconds < objective.Limit.TotalNanoseconds;
        bool isEnough = fewest >= Validity.MinAchieved * needed;
        var text = $"{Quantity.Microseconds((long)nanoseconds)} us{(isEnough ? "" : $" of {Quantity.Count(fewest)} replies, {Quantity.Count(needed)} needed")}";
        return new(
            $"p{Quantity.Decimal(100 * objective.Quantile, "0.##")}<{new Duration(objective.Limit)}",
            nanoseconds / 1000, objective.Limit.TotalMicroseconds, text,
            !isBelow && fewest > 0 ? false : isEnough ? true : null);
    }

    private static IEnumerable<ObjectiveOutcome> OfErrors(Objectives objectives, IReadOnlyList<BenchOutcome> runs)
    {
        if (objectives.ErrorLimit is not { } limit) yield break;
        long failed = runs.Sum(run => run.Failures.Values.Sum()), all = failed + runs.Sum(run => run.Replies);
        double share = all == 0 ? 0 : (double)failed / all;
        yield return new($"errors<{new Share(limit)}", share, limit, $"{Quantity.Decimal(100 * share, "0.####")} %", all == 0 ? null : share < limit);
    }
}
