using Mux.Tool.Load;
using Mux.Tool.Workloads;

namespace Mux.Tool.Reporting;

/// <summary>A line per second, for logs and pipes.</summary>
internal sealed class PlainProgress(TextWriter output, CountedUnit unit) : IProgressDisplay
{
    public Task<BenchOutcome> ShowAsync(Func<Action<ProgressSample>, Task<BenchOutcome>> run) => run(sample => output.WriteLine(Line(sample)));

    private static string Dropped(ProgressSample sample) => sample.Counts.Dropped == 0 ? "" : $"  dropped {sample.Counts.Dropped}";

    private static string Items(ProgressSample sample) => sample.ItemRate is { } rate ? $"  {Quantity.Count(rate)} items/s" : "";

    private string Line(ProgressSample sample)
    {
        var phase = sample.IsWarmup ? "warm-up" : "measure";
        return $"{phase} {Quantity.Seconds(sample.Elapsed),7}  {Quantity.Count(sample.Rate),11} {unit.Many}/s  "
            + $"p50 {Quantity.Microseconds(sample.P50),7} us  p99 {Quantity.Microseconds(sample.P99),7} us  "
            + $"errors {sample.Errors}{Dropped(sample)}{Items(sample)}";
    }
}
