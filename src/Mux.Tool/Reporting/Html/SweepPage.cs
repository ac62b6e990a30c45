using System.Globalization;
using Mux.Tool.Reporting.Results;

namespace Mux.Tool.Reporting.Html;

/// <summary>Page with the result of <c>mux sweep</c>: for each size a table whose cells are darker the higher the rate, and charts.</summary>
internal static class SweepPage
{
    public static byte[] Of(SweepFile result)
    {
        var best = result.Cells.MaxBy(cell => cell.Ci.Rate)!;
        var page = new Page(
            $"Up to {Quantity.Count(best.Ci.Rate)} calls/s",
            $"{result.Configuration.Workload} calls to {result.Configuration.Target}, {result.Cells.Count} cells of connections x calls in " +
                $"flight{(best.Size is null ? "" : " x bytes")}",
            $"Highest at {best.Connections} connections x {best.InFlight} in flight{(best.Size is { } size ? $", {size} bytes" : "")}.");
        foreach (var cells in result.Cells.GroupBy(cell => cell.Size))
        {
            var note = cells.Key is { } bytes ? $" at {bytes} bytes" : "";
            AppendHeat(page, $"Calls/s{note}", [.. cells], cell => cell.Ci.Rate);
            AppendHeat(page, $"p99, us{note}", [.. cells], cell => cell.Ci.P99Us);
            page.Charts(Lines($"Rate by calls in flight{note}", "calls/s", [.. cells], cell => cell.Ci.Rate),
                Lines($"p99 by calls in flight{note}", "us", [.. cells], cell => cell.Ci.P99Us));
        }

        return page.Environment(result.Environment).ToBytes();
    }

    private static void AppendHeat(Page page, string title, IReadOnlyList<CellEntry> cells, Func<CellEntry, double> figure)
    {
        int[] connections = [.. cells.Select(cell => cell.Connections).Distinct()], inFlight = [.. cells.Select(cell => cell.InFlight).Distinct()];
        double highest = cells.Max(figure);
        page.Table(
            title,
            ["connections \\ in flight", .. inFlight.Select(Text)],
            [.. connections.Select(row =>
                (IReadOnlyList<string>)[Text(row), .. inFlight.Select(column => Find(row, column) is { } cell ? BenchPage.Number(figure(cell)) : "")])],
            (row, column) => column > 0 && Find(connections[row], inFlight[column - 1]) is { } cell
                ? string.Create(CultureInfo.InvariantCulture, $"style=\"background:rgba(var(--heat),{0.6 * figure(cell) / Math.Max(1e-9, highest):0.00})\"")
                : "");

        CellEntry? Find(int row, int column) => cells.FirstOrDefault(cell => cell.Connections == row && cell.InFlight == column);
    }

    private static string Lines(string title, string unit, IReadOnlyList<CellEntry> cells, Func<CellEntry, double> figure)
    {
        ChartSeries[] series = [
            .. cells.GroupBy(cell => cell.Connections).Select(
            row => new ChartSeries($"{row.Key} connections", [.. row.OrderBy(cell => cell.InFlight).Select(cell => ((double)cell.InFlight, figure(cell)))]))];
        return LineChart.Draw(title, ChartAxis.Log("calls in flight on each connection", cells.Select(cell => (double)cell.InFlight)),
            ChartAxis.FromZero(unit, cells.Select(figure)), series);
    }

    private static string Text(int value) => value.ToString(CultureInfo.InvariantCulture);
}
