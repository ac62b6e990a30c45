using Mux.Tool.Load;
using Mux.Tool.Reporting;
using Mux.Tool.Reporting.Results;

namespace Mux.Tool.Tests.Reporting;

/// <summary>Results as tables for other programs.</summary>
public sealed class CsvReportTests
{
    private static readonly string s_readme = File.ReadAllText(Path.Combine(AppContext.BaseDirectory, "Tool.README.md"));

    [Fact]
    public void Csv_has_a_line_for_every_run()
    {
        var rows = Rows(CsvReport.Of(ResultFile.Of(new BenchRuns([Outcomes.MakeOpen(), Outcomes.MakeOpen(), Outcomes.MakeOpen()]))));

        Assert.Equal(4, rows.Length);
        Assert.Equal(["1", "2", "3"], rows[1..].Select(row => Cell(rows, row, "run")));
        Assert.Equal("1000", Cell(rows, rows[1], "target_rate"));
        Assert.Equal("", Cell(rows, rows[1], "in_flight"));
        Assert.Matches(@"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$", Cell(rows, rows[1], "date"));
    }

    [Fact]
    public void Csv_of_a_sweep_has_a_line_for_every_cell()
    {
        var rows = Rows(CsvReport.Of(SweepFileTests.Make()));

        Assert.Equal(["1", "1", "4", "4"], rows[1..].Select(row => Cell(rows, row, "connections")));
        Assert.Equal(["1", "100", "1", "100"], rows[1..].Select(row => Cell(rows, row, "in_flight")));
    }

    [Fact]
    public void Csv_of_a_search_has_a_line_for_every_rate_and_quotes_what_has_commas()
    {
        var file = CapacityFile.Of(CapacityFileTests.Make(isAtLeast: false));
        file = file with { Steps = [.. file.Steps.Select(step => step with { Reason = "a, \"b\"" })] };

        var text = CsvReport.Of(file);

        Assert.Equal(1 + file.Steps.Count, text.Split('\n', StringSplitOptions.RemoveEmptyEntries).Length);
        Assert.Contains(",confirmation,held,\"a, \"\"b\"\"\",", text, StringComparison.Ordinal);
    }

    [Fact]
    public void Every_column_is_in_the_readme() =>
        Assert.All(CsvReport.BenchColumns.Concat(CsvReport.CapacityColumns), name => Assert.Contains($"`{name}`", s_readme, StringComparison.Ordinal));

    private static string[][] Rows(string text) => [.. text.Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(line => line.Split(','))];

    private static string Cell(string[][] rows, string[] row, string column) => row[Array.IndexOf(rows[0], column)];
}
