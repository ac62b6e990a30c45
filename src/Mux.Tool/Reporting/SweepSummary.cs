using Mux.Tool.Load;

namespace Mux.Tool.Reporting;

/// <summary>Text report of a grid: a line per cell, as it is measured.</summary>
internal static class SweepSummary
{
    public static string Header { get; } = $"{"connections",11}{"in flight",11}{"bytes",8}{"calls/s",14}{"p50 us",10}{"p99 us",10}{"errors",8}";

    public static string Line(SweepCell cell)
    {
        var outcome = cell.Outcome;
        return $"{cell.Connections,11}{cell.InFlight,11}{cell.Size?.ToString(System.Globalization.CultureInfo.InvariantCulture) ?? "-",8}"
            + $"{Quantity.Count(outcome.Rate),14}"
            + $"{Quantity.Microseconds(outcome.Latencies.Percentile(0.5)),10}{Quantity.Microseconds(outcome.Latencies.Percentile(0.99)),10}{outcome.Errors,8}";
    }
}
