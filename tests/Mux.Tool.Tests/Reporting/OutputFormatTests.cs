using System.Text.RegularExpressions;
using Mux.Tool.Load;
using Mux.Tool.Reporting;
using Mux.Tool.Reporting.Results;

namespace Mux.Tool.Tests.Reporting;

/// <summary>Results for programs on the standard output.</summary>
public sealed partial class OutputFormatTests
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

    [Theory]
    [InlineData("bench")]
    [InlineData("sweep")]
    [InlineData("capacity")]
    public void Prometheus_has_help_and_type_once_before_the_samples_of_a_metric_and_every_metric_is_in_the_readme(string kind)
    {
        var lines = Metrics(kind).Split('\n', StringSplitOptions.RemoveEmptyEntries);

        var seen = new List<string>();
        foreach (var line in lines)
        {
            if (line.StartsWith("# TYPE ", StringComparison.Ordinal))
            {
                Assert.EndsWith(" gauge", line, StringComparison.Ordinal);
                continue;
            }

            if (line.StartsWith("# HELP ", StringComparison.Ordinal))
            {
                seen.Add(line.Split(' ')[2]);
                continue;
            }

            Assert.Matches(Sample(), line);
            Assert.Equal(seen[^1], line[..line.IndexOf('{', StringComparison.Ordinal)]);
        }

        Assert.Equal(seen.Distinct(), seen);
        Assert.All(seen, name => Assert.Contains($"`{name}`", s_readme, StringComparison.Ordinal));
    }

    [Fact]
    public void Prometheus_counts_in_seconds_and_tells_the_sides_apart()
    {
        var text = Metrics("bench");

        Assert.Matches("(?m)^mux_bench_latency_seconds\\{workload=\"echo\",.*quantile=\"0.5\"\\} 1.0\\d*E-06$", text);
        Assert.Contains("side=\"server\"} 5E-07", text, StringComparison.Ordinal);
        Assert.Contains("mux_bench_valid{", text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(true, "} 1")]
    [InlineData(false, "} 0")]
    [InlineData(null, null)]
    public void Prometheus_tells_of_objectives_unless_they_are_unknown(bool? isMet, string? end)
    {
        var result = ResultFile.Of(new BenchRuns([Outcomes.Make(1_000)]));

        var line = PrometheusReport.Of(result with { Ci = result.Ci with { SloMet = isMet } }).Split('\n')
            .SingleOrDefault(line => line.StartsWith("mux_bench_slo_met{", StringComparison.Ordinal));

        Assert.Equal(end, line?[^3..]);
    }

    [Fact]
    public void Label_values_are_escaped()
    {
        var text = new PrometheusText();

        text.Add("a", "A test.", 1, ("b", "c\"d\\e\nf"));

        Assert.EndsWith("a{b=\"c\\\"d\\\\e\\nf\"} 1\n", text.ToString(), StringComparison.Ordinal);
    }

    private static string Metrics(string kind) => kind switch
    {
        "bench" => PrometheusReport.Of(ResultFile.Of(new BenchRuns([Outcomes.MakeWithEverything()]))),
        "sweep" => PrometheusReport.Of(SweepFileTests.Make()),
        _ => PrometheusReport.Of(CapacityFile.Of(CapacityFileTests.Make(isAtLeast: true))),
    };

    private static string[][] Rows(string text) => [.. text.Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(line => line.Split(','))];

    private static string Cell(string[][] rows, string[] row, string column) => row[Array.IndexOf(rows[0], column)];

    [GeneratedRegex("""^[a-z_]+\{[a-z_]+="(?:[^"\\]|\\.)*"(?:,[a-z_]+="(?:[^"\\]|\\.)*")*\} \S+$""")]
    private static partial Regex Sample();
}
