using Mux.Tool.Capacity;

namespace Mux.Tool.Reporting.Results;

/// <param name="Rate">Calls per second.</param>
/// <param name="Purpose">ramp, bisection, confirmation or above.</param>
/// <param name="Verdict">held, broken or saturated.</param>
/// <param name="Reason">Reason; empty if it held.</param>
/// <param name="Votes">Verdicts of its runs.</param>
/// <param name="AnsweredRate">Replies per second of the run that represents them.</param>
/// <param name="ResponseUs">Times from when calls were due to their replies, of that run.</param>
/// <param name="ServiceUs">Times from when calls were made to their replies.</param>
/// <param name="LagUs">Times from when calls were due to when they were made.</param>
/// <param name="HistogramUs">Response times: buckets that are not empty.</param>
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
