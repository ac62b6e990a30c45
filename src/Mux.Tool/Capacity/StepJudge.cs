using System.Globalization;
using Mux.Tool.Load;
using Mux.Tool.Measuring;
using Mux.Tool.Reporting;

namespace Mux.Tool.Capacity;

/// <summary>Judges whether one run at a rate meets the objectives, and if not, whether the server is the cause.</summary>
internal static class StepJudge
{
    // Limit for the lag if there is no objective for latency.
    private static readonly TimeSpan s_defaultLagLimit = TimeSpan.FromMilliseconds(10);

    /// <summary>Share of the tightest limit up to which a lag has not decided the outcome.</summary>
    private const double HarmlessLag = 0.1;

    /// <param name="run">The run.</param>
    /// <param name="objectives">Objectives to meet.</param>
    /// <param name="maxLag">Lag (p99) up to which a missed objective is the server's doing; null for a share of the tightest limit.</param>
    public static StepFinding Judge(StepMeasurement run, Objectives objectives, TimeSpan? maxLag = null)
    {
        double lag = run.Lag.Percentile(0.99);
        double lagLimit = (objectives.TightestLimit ?? maxLag ?? s_defaultLagLimit).TotalNanoseconds;
        if (run.Made + run.Dropped < Validity.MinAchieved * Math.Floor(run.Planned))
        {
            return Saturated($"only {Share(run.Made, run.Planned)} of the rate was made");
        }

        if (FindFault(run, objectives) is not { } fault) return new StepFinding(StepVerdict.Held, "");

        // A lag as long as the limit exceeds it whatever the server does. A shorter lag is the cause if the calls met the limit counted from when they were
        // made.
        if (lag >= lagLimit) return Saturated($"calls made late, lag p99 {Microseconds(run.Lag, 0.99)}");
        bool onlyLate = lag > (maxLag?.TotalNanoseconds ?? HarmlessLag * lagLimit) && FindFault(run with { Response = run.Service }, objectives) is null;
        return onlyLate ? Saturated($"calls made late, lag p99 {Microseconds(run.Lag, 0.99)}") : new StepFinding(StepVerdict.Broken, fault);
    }

    private static string? FindFault(StepMeasurement run, Objectives objectives)
    {
        double failed = run.Failed == 0 ? 0 : (double)run.Failed / (run.Failed + run.Response.Count);
        if (run.Failed > 0 && failed >= (objectives.ErrorLimit ?? 0)) return $"{Share(run.Failed, run.Failed + run.Response.Count)} failed";
        if (run.Dropped > 0) return $"{Quantity.Compact(run.Dropped)} dropped, too many open";
        if (run.Response.Count < Validity.MinAchieved * Math.Floor(run.Planned)) return $"only {Share(run.Response.Count, run.Planned)} answered";
        if (InFlightTrend.IsRising(run.InFlight, run.Made)) return "calls in flight kept rising";
        foreach (var objective in objectives.Latencies)
        {
            if (run.Response.Percentile(objective.Quantile) >= objective.Limit.TotalNanoseconds)
                return $"p{(100 * objective.Quantile).ToString("0.##", CultureInfo.InvariantCulture)} {Microseconds(run.Response, objective.Quantile)}";
        }

        return run.Response.Count < Validity.MinAchieved * objectives.SamplesNeeded
            ? $"only {Quantity.Count(run.Response.Count)} replies of {Quantity.Count(objectives.SamplesNeeded)} needed" : null;
    }

    private static StepFinding Saturated(string reason) => new(StepVerdict.Saturated, reason);

    private static string Microseconds(LatencyHistogram latencies, double quantile) => $"{Quantity.Microseconds(latencies.Percentile(quantile))} us";

    private static string Share(double part, double whole) => Quantity.Decimal(100 * part / whole, "0.0") + " %";
}
