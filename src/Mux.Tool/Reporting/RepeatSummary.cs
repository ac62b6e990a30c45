using Mux.Tool.Load;
using Mux.Tool.Reporting.Results;

namespace Mux.Tool.Reporting;

/// <summary>Text report of several runs: their medians and their spread.</summary>
internal static class RepeatSummary
{
    /// <summary>Gets the line for a finished run.</summary>
    public static string RunLine(int number, BenchOutcome outcome)
    {
        string invalid = outcome.Schedule is { IsValid: false } ? "  INVALID" : "";
        return $"run {number,3}  {Quantity.Count(outcome.Rate),11} {outcome.Configuration.Traits.Unit.Many}/s  p50 " +
            $"{Quantity.Microseconds(outcome.Latencies.Percentile(0.5)),7} us  "
            + $"p99 {Quantity.Microseconds(outcome.Latencies.Percentile(0.99)),7} us  errors {outcome.Errors}{invalid}";
    }

    public static IEnumerable<string> Lines(BenchRuns runs)
    {
        var spread = SpreadEntry.Of([.. runs.Select(CiSection.Of)]);
        int invalid = runs.Count(run => run.Schedule is { IsValid: false });
        if (invalid > 0) yield return $"INVALID ({invalid} of {runs.Count} runs: see the messages)";
        foreach (var line in Summary.Heading(runs.Median)) yield return line;
        yield return $"{runs.Count} runs, errors: {Quantity.Count(runs.Sum(run => run.Errors))}";
        yield return "";
        var unit = runs.Median.Configuration.Traits.Unit;
        yield return Row("", "median", "min", "max", "spread");
        foreach (var metric in Metric.All)
        {
            if (spread.TryGetValue(metric.Name, out var figures))
                yield return Row(metric.TextOf(unit), Number(figures.Median), Number(figures.Min), Number(figures.Max), Share(figures));
        }
    }

    private static string Number(double value) => Quantity.Decimal(value, value < 100 ? "0.###" : "N0");

    private static string Share(SpreadEntry figures) =>
        figures.Median == 0 ? Quantity.NotAvailable : Quantity.Decimal(100 * (figures.Max - figures.Min) / figures.Median, "0.0") + " %";

    private static string Row(string name, params ReadOnlySpan<string> cells)
    {
        var row = $"{name,-21}";
        foreach (var cell in cells) row += $"{cell,14}";
        return row;
    }
}
