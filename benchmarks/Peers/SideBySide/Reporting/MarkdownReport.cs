using System.Globalization;
using System.Text;
using SideBySide.Load;
using SideBySide.Processes;
using SideBySide.Stacks;

namespace SideBySide.Reporting;

/// <summary>The tables, for people and for pages.</summary>
internal static class MarkdownReport
{
    public static string Write(PeerTable table, RunSettings settings)
    {
        var page = new StringBuilder();
        page.Append(CultureInfo.InvariantCulture, $"""
            # Peers side by side

            Written by `benchmarks/side-by-side`; how it measures, and why each stack is set as it is: [benchmarks/Peers/README.md](../Peers/README.md).

            - {settings.Date} UTC; {settings.Machine}
            - Client and server are two processes that share these CPUs and talk TCP on loopback with congestion control {settings.CongestionControl} at both ends, without TLS.
            - {settings.Rounds} {(settings.Rounds == 1 ? "round" : "rounds")}; each run is a new pair of processes, {settings.Timing.Duration:0.##} s measured after {settings.Timing.Warmup:0.##} s of load; stacks in turns, in changing order.
            - Medians; in parentheses the interval that holds the median with 95 %, with few rounds their range. CPU is user and system time of both processes; bytes are managed ones allocated.
            - Every reply of every call was checked.

            """);
        foreach (var problem in table.Problems) page.Append(CultureInfo.InvariantCulture, $"- **PROBLEM** {problem.ReplaceLineEndings(" ")}\n");
        foreach (var shape in table.Shapes) AppendShape(page, table, shape);
        page.Append("\n## The stacks\n\n| stack | versions | garbage collector, client / server | settings |\n|---|---|---|---|\n");
        foreach (var stack in table.Stacks)
            page.Append(CultureInfo.InvariantCulture, $"| {stack.Title} | {RunSettings.VersionsOf(stack)} | {RunSettings.CollectorsOf(table, stack)} | {stack.Settings} |\n");
        return page.ToString();
    }

    private static void AppendShape(StringBuilder page, PeerTable table, Shape shape)
    {
        bool isStream = shape.Kind == ShapeKind.Read;
        var unit = isStream ? "item" : "call";
        page.Append(CultureInfo.InvariantCulture, $"\n## {shape.Title}\n\n");
        page.Append(CultureInfo.InvariantCulture, $"| stack | {unit}s/s | CPU per {unit}, us | client + server | bytes per {unit}, client + server |{(isStream ? "" : " p50, us | p99, us |")}\n");
        page.Append(isStream ? "|---|---|---|---|---|\n" : "|---|---|---|---|---|---|---|\n");
        foreach (var stack in table.Stacks)
        {
            page.Append(CultureInfo.InvariantCulture, $"| {stack.Title} | {WithInterval(stack, run => run.Rate)} | {WithInterval(stack, run => run.Cpu)} | ");
            page.Append(CultureInfo.InvariantCulture, $"{Both(stack, run => run.ClientCpu, run => run.ServerCpu)} | {Both(stack, run => run.ClientBytes, run => run.ServerBytes)} |");
            page.Append(isStream ? "\n" : $" {Median(stack, run => run.P50)} | {Median(stack, run => run.P99)} |\n");
        }

        string WithInterval(Stack stack, Func<RunFigures, double?> figure) => table.Of(stack, shape, figure) is { } value ? FigureText.Of(value) : "failed";

        string Both(Stack stack, Func<RunFigures, double?> client, Func<RunFigures, double?> server) =>
            table.Of(stack, shape, client) is null ? "failed" : $"{Median(stack, client)} + {Median(stack, server)}";

        string Median(Stack stack, Func<RunFigures, double?> figure) => table.Of(stack, shape, figure) is { } value ? FigureText.Of(value.Median) : "failed";
    }
}
