using Mux.Tool.Load;
using Mux.Tool.Workloads;
using Spectre.Console;

namespace Mux.Tool.Reporting;

/// <summary>A table on a terminal that is updated once a second and removed after the run.</summary>
internal sealed class LiveProgress(IAnsiConsole console, CountedUnit unit) : IProgressDisplay
{
    private const int ColumnWidth = 11;
    private const int BarWidth = 40;

    private readonly string[] _columns = [$"{unit.Many}/s", "total", "p50 us", "p99 us", "errors"];

    public Task<BenchOutcome> ShowAsync(Func<Action<ProgressSample>, Task<BenchOutcome>> run) =>
        console.Live(new Text("Connecting")).AutoClear(true)
            .StartAsync(context => run(sample => context.UpdateTarget(new Rows([Figures(sample), Bar(sample), .. Items(sample)]))));

    private Table Figures(ProgressSample sample)
    {
        var table = new Table().Border(TableBorder.Rounded);
        foreach (var column in _columns) table.AddColumn(new TableColumn(column).RightAligned().Width(ColumnWidth));
        return table.AddRow(
            Quantity.Count(sample.Rate),
            Quantity.Count(sample.Total),
            Quantity.Microseconds(sample.P50),
            Quantity.Microseconds(sample.P99),
            sample.Errors == 0 ? "0" : $"[red]{Quantity.Count(sample.Errors)}[/]");
    }

    private static IEnumerable<Text> Items(ProgressSample sample) =>
        sample.ItemRate is { } rate ? [new Text($" {Quantity.Count(rate)} items/s")] : [];

    private static Markup Bar(ProgressSample sample)
    {
        double share = sample.PlannedCalls is { } calls ? (double)sample.Total / calls : sample.Planned == TimeSpan.Zero ? 1 : sample.Elapsed / sample.Planned;
        share = Math.Min(1, share);
        int filled = (int)(share * BarWidth);
        var (name, color) = sample.IsWarmup ? ("warming up", "yellow") : ("measuring", "green");
        return new Markup($" [{color}]{new string('━', filled)}[/][grey23]{new string('━', BarWidth - filled)}[/] "
            + $"{name}, {(sample.PlannedCalls is { } planned ? $"of {Quantity.Count(planned)} calls"
                : $"{Quantity.Seconds(sample.Elapsed)} of {Quantity.Seconds(sample.Planned)}")}");
    }
}
