using Mux.Tool.Capacity;

namespace Mux.Tool.Reporting.Results;

/// <param name="Rate">Calls per second.</param>
/// <param name="Purpose">ramp, bisection, confirmation or above.</param>
/// <param name="Verdict">held, broken or saturated.</param>
/// <param name="Reason">Why; empty if it held.</param>
/// <param name="Votes">The verdict of each run.</param>
/// <param name="AnsweredRate">Of the run that stands for them: replies per second.</param>
/// <param name="ResponseUs">Likewise: from when calls should have been made.</param>
/// <param name="ServiceUs">From when they were made.</param>
/// <param name="LagUs">What lies between.</param>
/// <param name="HistogramUs">The response times: every bucket that holds something.</param>
internal sealed record StepEntry(
    double Rate,
    string Purpose,
    string Verdict,
    string Reason,
    IReadOnlyList<string> Votes,
    double AnsweredRate,
    LatencyEntry ResponseUs,
    LatencyEntry ServiceUs,
    LatencyEntry LagUs,
    IReadOnlyList<BucketEntry> HistogramUs)
{
    public static StepEntry Of(CapacityStep step) => new(
        Math.Round(step.Rate, 1),
        step.Purpose,
        NameOf(step.Finding.Verdict),
        step.Finding.Reason,
        [.. step.Runs.Select(run => NameOf(run.Verdict))],
        Math.Round(step.Typical.Response.Count / step.Typical.Elapsed.TotalSeconds, 1),
        LatencyEntry.Of(step.Typical.Response),
        LatencyEntry.Of(step.Typical.Service),
        LatencyEntry.Of(step.Typical.Lag),
        [.. step.Typical.Response.Buckets().Select(BucketEntry.Of)]);

    private static string NameOf(StepVerdict verdict) => verdict.ToString().ToLowerInvariant();
}
