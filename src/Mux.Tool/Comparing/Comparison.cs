using Mux.Tool.Reporting.Results;

namespace Mux.Tool.Comparing;

/// <summary>Two results of <c>mux bench</c>, the second compared with the first.</summary>
internal sealed record Comparison(ResultFile Before, ResultFile After, IReadOnlyList<MetricComparison> Metrics)
{
    /// <summary>Reasons why the results are not alike, compared anyway; empty if they are alike.</summary>
    public IReadOnlyList<string> Differences { get; init; } = [];

    /// <summary>Number of runs per side below which the interval is not reliable.</summary>
    public const int EnoughRuns = 5;

    public static Comparison Of(ResultFile before, ResultFile after, double threshold) =>
        new(before, after, [.. Metric.All.Select(metric => MetricComparison.Of(metric, RunsOf(before), RunsOf(after), threshold)).OfType<MetricComparison>()]);

    public bool HasMoreErrors => After.Ci.Errors > Before.Ci.Errors;

    public bool IsRegression => HasMoreErrors || Metrics.Any(metric => metric.Verdict == ComparisonVerdict.Worse);

    public static IReadOnlyList<CiSection> RunsOf(ResultFile result) => result.Runs is { Count: > 0 } runs ? [.. runs.Select(run => run.Ci)] : [result.Ci];
}
