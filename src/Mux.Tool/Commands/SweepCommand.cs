using System.CommandLine;
using Mux.Tool.Load;
using Mux.Tool.Reporting;
using Mux.Tool.Reporting.Html;
using Mux.Tool.Reporting.Results;
using Mux.Tool.Workloads;

namespace Mux.Tool.Commands;

/// <summary><c>mux sweep</c>: runs a closed loop in every cell of a grid.</summary>
internal static class SweepCommand
{
    private const int MostCells = 1000;
    private const int LargestTokens = 1_000_000;
    private static readonly SizeRange s_sizes = WorkloadTraits.Of(Workload.Echo).Size!;

    public static Command Create()
    {
        var connections = CheckedOption.Numbers("--connections", [1, 4, 16], 1, LoadOptions.MostConnections, "Connections", "-c");
        var inFlight = CheckedOption.Numbers("--in-flight", [1, 16, 256], 1, LoopOptions.LargestInFlight, "Concurrent calls on each connection");
        var sizes = CheckedOption.ByteCounts("--size", [64, 4096], s_sizes.Min, s_sizes.Max, "Bytes of an echo");
        var duration = CheckedOption.Time(
            "--duration", TimeSpan.FromSeconds(2), TimeSpan.FromMilliseconds(100), TimeSpan.FromHours(1), "Duration of the measurement of each cell", "-z");
        var warmup = CheckedOption.Time("--warmup", TimeSpan.FromSeconds(1), TimeSpan.Zero, TimeSpan.FromHours(1), "Duration of the warm-up before it");
        var json = CheckedOption.OutputFile("--json", "Write the result to this file as well (schema mux.sweep/1)");
        var output = ResultOutput.FormatOption();
        var html = CheckedOption.OutputFile("--html", "Write a page with charts to this file as well");

        var load = new LoadOptions(Workload.Echo, isGrid: true, LoadOptions.SmallCalls);
        var command = new ToolCommand("sweep", "Measures a closed loop in every cell of a grid: connections x calls in flight x bytes.")
        {
            Examples =
            [
                new("mux sweep", "A grid of 18 cells, 3 seconds each, of a server of its own"),
                new("mux sweep -c 1,10 --in-flight 1,20,200 --size 64 --html grid.html", "Six cells, with charts"),
            ],
        };
        load.AddTo(command);
        command.Add(OptionGroup.Load, connections, inFlight, duration, warmup);
        command.Add(OptionGroup.Calls, sizes);
        command.Add(OptionGroup.Results, output, json, html);
        command.SetAction((result, _) =>
        {
            var configuration = load.Read(result) with { Warmup = result.GetValue(warmup).Value, Duration = result.GetValue(duration).Value };
            bool isEcho = configuration.Workload == Workload.Echo;
            if (!isEcho && result.GetResult(sizes) is { Implicit: false }) throw LoadOptions.Wrong("--size applies to --workload echo only.");
            BenchConfiguration[] cells =
            [
                .. from size in isEcho ? result.GetRequiredValue(sizes).Select(size => (int?)size) : [null]
                   from lanes in result.GetRequiredValue(connections)
                   from open in result.GetRequiredValue(inFlight)
                   select configuration with { Connections = lanes, InFlight = open, Size = size },
            ];
            if (cells.Length > MostCells) throw LoadOptions.Wrong($"The grid has {cells.Length} cells: expected up to {MostCells}.");
            if (cells.MaxBy(cell => cell.Tokens) is { Tokens: > LargestTokens } largest)
            {
                throw LoadOptions.Wrong($"--connections times --in-flight is {largest.Tokens}: expected up to {LargestTokens}.");
            }

            foreach (var cell in cells) LoadOptions.CheckNumbered(cell);
            return RunAsync(configuration, cells, result.Chosen<OutputFormat>(output), result.GetValue(json), result.GetValue(html));
        });
        return command;
    }

    private static async Task<int> RunAsync(
        BenchConfiguration configuration, IReadOnlyList<BenchConfiguration> grid, OutputFormat format, string? jsonFile, string? htmlFile)
    {
        using var interrupt = new CancellationTokenSource();
        using var signals = new InterruptSignals(interrupt);
        var output = ResultOutput.Open(format, jsonFile, htmlFile);
        await using var outputEnd = output.ConfigureAwait(false);
        var host = await BenchHost.StartAsync(configuration, interrupt.Token).ConfigureAwait(false);
        await using var hostEnd = host.ConfigureAwait(false);

        output.Text.WriteLine(SweepSummary.Header);
        var cells = new List<SweepCell>();
        foreach (var cell in grid)
        {
            var outcome = await host.RunAsync(cell, _ => { }, interrupt.Token).ConfigureAwait(false);
            cells.Add(new SweepCell(cell.Connections, cell.InFlight, cell.Size, outcome));
            output.Text.WriteLine(SweepSummary.Line(cells[^1]));
            if (outcome.IsInterrupted || outcome.Loss is not null) break;
        }

        var runs = new BenchRuns([.. cells.Select(cell => cell.Outcome)]);
        var result = SweepFile.Of(cells);
        await output.WriteAsync(result, Report, CsvReport.Of, PrometheusReport.Of, SweepPage.Of).ConfigureAwait(false);
        return runs.ExitCode;

        void Report()
        {
            var (client, server) = (result.Environment.Client, result.Environment.Server);
            output.WriteLines([.. EnvironmentLines.Machines(client, server), .. EnvironmentLines.Origin(result.Environment)]);
            foreach (var line in runs.SelectMany(Problems.Lines).Distinct(StringComparer.Ordinal))
                Console.Error.WriteLine($"mux sweep: {PrintableText.Of(line)}");
        }
    }
}
