using System.Text.RegularExpressions;
using Mux.Tool.Load;
using Mux.Tool.Reporting;
using Mux.Tool.Reporting.Results;

namespace Mux.Tool.Tests.Reporting;

/// <summary>Results as metrics, which a monitoring collects.</summary>
public sealed partial class PrometheusReportTests
{
    private static readonly string s_readme = File.ReadAllText(Path.Combine(AppContext.BaseDirectory, "Tool.README.md"));

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
    [InlineData("bench")]
    [InlineData("sweep")]
    [InlineData("capacity")]
    public void Prometheus_continues_the_time_series_of_an_earlier_run_and_says_when_the_last_one_was(string kind)
    {
        var earlier = Samples(kind, DateTimeOffset.FromUnixTimeMilliseconds(1_795_663_726_250), "mux first");
        var later = Samples(kind, DateTimeOffset.FromUnixTimeMilliseconds(1_795_663_727_500), "mux second");

        Assert.Equal(earlier.Keys, later.Keys);
        Assert.Equal("1795663726.25", Assert.Single(earlier.Where(IsTime).Select(sample => sample.Value).Distinct()));
        Assert.Equal("1795663727.5", Assert.Single(later.Where(IsTime).Select(sample => sample.Value).Distinct()));

        static bool IsTime(KeyValuePair<string, string> sample) => sample.Key.Contains("_timestamp_seconds{", StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("bench")]
    [InlineData("sweep")]
    [InlineData("capacity")]
    public void Prometheus_tells_the_results_of_two_workloads_in_one_folder_apart(string kind)
    {
        var all = Samples(kind, DateTimeOffset.UnixEpoch, "mux").Keys;

        Assert.All(all, series => Assert.Contains("{workload=\"", series, StringComparison.Ordinal));
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

    private static string Metrics(string kind, Func<EnvironmentSection, EnvironmentSection>? change = null)
    {
        change ??= environment => environment;
        switch (kind)
        {
            case "bench":
                var bench = ResultFile.Of(new BenchRuns([Outcomes.MakeWithEverything()]));
                return PrometheusReport.Of(bench with { Environment = change(bench.Environment) });
            case "sweep":
                var sweep = SweepFileTests.Make();
                return PrometheusReport.Of(sweep with { Environment = change(sweep.Environment) });
            default:
                var capacity = CapacityFile.Of(CapacityFileTests.Make(isAtLeast: true));
                return PrometheusReport.Of(capacity with { Environment = change(capacity.Environment) });
        }
    }

    /// <summary>Values by time series: a metric with its labels.</summary>
    private static Dictionary<string, string> Samples(string kind, DateTimeOffset date, string command) =>
        Metrics(kind, environment => environment with { Date = date, Command = command }).Split('\n', StringSplitOptions.RemoveEmptyEntries)
            .Where(line => line[0] != '#').ToDictionary(line => line[..line.LastIndexOf(' ')], line => line[(line.LastIndexOf(' ') + 1)..]);

    [GeneratedRegex("""^[a-z_]+\{[a-z_]+="(?:[^"\\]|\\.)*"(?:,[a-z_]+="(?:[^"\\]|\\.)*")*\} \S+$""")]
    private static partial Regex Sample();
}
