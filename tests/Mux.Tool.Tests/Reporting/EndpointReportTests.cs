using System.Text;
using Mux.Tool.Load;
using Mux.Tool.Measuring;
using Mux.Tool.Reporting;
using Mux.Tool.Reporting.Html;
using Mux.Tool.Reporting.Results;

namespace Mux.Tool.Tests.Reporting;

/// <summary>Endpoints and replaced connections in every format.</summary>
public sealed class EndpointReportTests
{
    private static readonly BenchOutcome s_outcome = Outcomes.Make(1_000, 2_000) with
    {
        Churn = Outcomes.MakeChurn(),
        Endpoints =
        [
            new EndpointOutcome("mux://a:1", Outcomes.Make(1_000, 1_000, 1_000).Latencies, Failed: 0, Share: 0.75),
            new EndpointOutcome("mux://b:1", Outcomes.Make(2_000).Latencies, Failed: 7, Share: 0.25),
        ],
    };

    private static readonly ResultFile s_result = ResultFile.Of(new BenchRuns([s_outcome]));

    [Fact]
    public void The_summary_has_a_line_for_each()
    {
        string[] lines = [.. Summary.Lines(s_outcome)];

        Assert.Contains(lines, line => line.StartsWith("churn: 19 of 20 connects/s, p50 5", StringComparison.Ordinal) && line.EndsWith(" us, failed 1", StringComparison.Ordinal));
        Assert.Contains(lines, line => Words(line) is ["mux://a:1", "3", "75.0", _, _, _, "0"]);
        Assert.Contains(lines, line => Words(line) is ["mux://b:1", "1", "25.0", _, _, _, "7"]);
        Assert.All(lines, line => Assert.InRange(line.Length, 0, 80));
    }

    [Fact]
    public void One_that_was_not_reached_has_a_line_with_the_reason_and_makes_the_run_fail()
    {
        var reason = $"No connection to mux://c:1: Connection refused. {string.Join(' ', Enumerable.Repeat("word", 20))}";
        var partial = s_outcome with { Churn = null, Endpoints = [.. s_outcome.Endpoints, new EndpointOutcome("mux://c:1", new LatencyHistogram(), Failed: 0, Share: 0, reason)] };

        string[] lines = [.. Summary.Lines(partial)];

        int row = Array.FindIndex(lines, line => Words(line) is ["mux://c:1", "0", "0.0", "n/a", "n/a", "n/a", "0"]);
        Assert.StartsWith("  not reached: No connection to mux://c:1: Connection refused.", lines[row + 1], StringComparison.Ordinal);
        Assert.All(lines, line => Assert.InRange(line.Length, 0, 80));
        Assert.Contains($"mux://c:1 was not reached, so the figures are without it: {reason}", Problems.Lines(partial));
        Assert.Equal(ExitCode.Unreachable, partial.ExitCode);
        Assert.Equal(ExitCode.Unreachable, new BenchRuns([partial, Outcomes.Make(1_000), Outcomes.Make(1_000)]).ExitCode);
        Assert.Equal(ExitCode.Faulty, (partial with { LostReplies = 1 }).ExitCode);
        Assert.Contains("Connection refused.", Encoding.UTF8.GetString(BenchPage.Of(ResultFile.Of(new BenchRuns([partial])))), StringComparison.Ordinal);
    }

    [Fact]
    public void The_csv_has_a_line_for_each_endpoint_after_that_of_the_run()
    {
        var lines = CsvReport.Of(s_result).TrimEnd('\n').Split('\n');
        Assert.All(lines, line => Assert.Equal(lines[0].Count(c => c == ','), line.Count(c => c == ',')));

        Assert.Equal(4, lines.Length);
        Assert.EndsWith("connects_per_s,connect_errors,connect_p50_us,connect_p99_us,endpoint,share", lines[0], StringComparison.Ordinal);
        Assert.Contains(",19,1,", lines[1], StringComparison.Ordinal);
        Assert.EndsWith(",,", lines[1], StringComparison.Ordinal);
        Assert.EndsWith(",mux://a:1,0.75", lines[2], StringComparison.Ordinal);
        Assert.EndsWith(",mux://b:1,0.25", lines[3], StringComparison.Ordinal);
    }

    [Fact]
    public void The_page_and_the_metrics_have_them()
    {
        var page = Encoding.UTF8.GetString(BenchPage.Of(s_result));
        var metrics = PrometheusReport.Of(s_result);

        Assert.Contains("mux://b:1", page, StringComparison.Ordinal);
        Assert.Contains("Connections replaced under load", page, StringComparison.Ordinal);
        Assert.Contains("mux_bench_connect_rate{", metrics, StringComparison.Ordinal);
        Assert.Contains("mux_bench_connect_latency_seconds{", metrics, StringComparison.Ordinal);
    }

    private static string[] Words(string line) => line.Split(' ', StringSplitOptions.RemoveEmptyEntries);
}
