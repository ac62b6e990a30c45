using Mux.Tool.Comparing;
using Mux.Tool.Load;
using Mux.Tool.Reporting;
using Mux.Tool.Reporting.Results;
using Mux.Tool.Tests.Reporting;
using Mux.Tool.Workloads;

namespace Mux.Tool.Tests.Comparing;

public sealed class ComparisonTests
{
    private const double Threshold = 0.03;

    [Fact]
    public void A_result_is_the_same_as_itself()
    {
        var sut = Comparison.Of(Runs(100, 110, 90, 105, 95), Runs(100, 110, 90, 105, 95), Threshold);

        Assert.All(sut.Metrics, metric => Assert.Equal(ComparisonVerdict.Same, metric.Verdict));
        Assert.False(sut.IsRegression);
    }

    [Fact]
    public void A_lower_rate_beyond_the_noise_is_worse_and_a_higher_one_better()
    {
        ResultFile slow = Runs(100, 101, 99, 100, 102), fast = Runs(120, 121, 119, 120, 122);

        Assert.Equal(ComparisonVerdict.Worse, Rate(fast, slow).Verdict);
        Assert.Equal(ComparisonVerdict.Better, Rate(slow, fast).Verdict);
        Assert.True(Comparison.Of(fast, slow, Threshold).IsRegression);
        Assert.False(Comparison.Of(slow, fast, Threshold).IsRegression);
    }

    [Fact]
    public void A_difference_within_the_noise_is_none() => Assert.Equal(ComparisonVerdict.Same, Rate(Runs(100, 150, 50, 130, 70), Runs(90, 140, 45, 120, 65)).Verdict);

    [Fact]
    public void A_difference_up_to_the_threshold_is_none_however_sure() => Assert.Equal(ComparisonVerdict.Same, Rate(Runs(1000, 1000, 1000), Runs(980, 980, 980)).Verdict);

    [Fact]
    public void The_interval_holds_the_difference_and_is_the_same_every_time()
    {
        var first = Rate(Runs(100, 104, 97, 101, 99), Runs(110, 115, 108, 111, 109));

        Assert.InRange(first.Difference, first.Low, first.High);
        Assert.Equal(first, Rate(Runs(100, 104, 97, 101, 99), Runs(110, 115, 108, 111, 109)));
        Assert.Equal(0.1, first.Difference, 1e-9);
    }

    [Fact]
    public void More_errors_are_worse_whatever_the_rate()
    {
        var after = Runs(200, 200, 200);

        var sut = Comparison.Of(Runs(100, 100, 100), after with { Ci = after.Ci with { Errors = 1 } }, Threshold);

        Assert.True(sut.IsRegression);
        Assert.Contains("errors: 0 in A, 1 in B: worse", ComparisonSummary.Lines(sut));
    }

    [Fact]
    public void Its_lines_fit_80_columns() =>
        Assert.All(ComparisonSummary.Lines(Comparison.Of(Runs(100), Runs(9_999_999), Threshold)), line => Assert.InRange(line.Length, 0, 80));

    [Fact]
    public void Few_runs_are_told() =>
        Assert.Contains(ComparisonSummary.Lines(Comparison.Of(Runs(100), Runs(100), Threshold)), line => line.StartsWith("Fewer than 5 runs", StringComparison.Ordinal));

    [Fact]
    public void Results_of_the_same_kind_are_alike() => Assert.Empty(Likeness.Differences(Runs(100), Runs(200)));

    [Fact]
    public void What_differs_is_named_with_both_values()
    {
        var before = Runs(100);
        var after = before with { Configuration = before.Configuration with { Connections = 7 } };

        Assert.Equal("the number of connections was 1024 in the first file and 7 in the second", Assert.Single(Likeness.Differences(before, after)));
    }

    [Fact]
    public void Results_that_are_compared_anyway_are_headed_by_what_differs()
    {
        var before = Runs(100);
        var after = before with { Environment = before.Environment with { Client = new() { Runtime = "another", Cpus = 96 } } };

        var lines = ComparisonSummary.Lines(Comparison.Of(before, after, Threshold) with { Differences = [.. Likeness.Differences(before, after)] }).ToArray();

        Assert.Contains("Compared because of --force, although", lines);
        Assert.Contains(lines, line => line.StartsWith("  - the client's number of CPUs was ", StringComparison.Ordinal) && line.EndsWith(" in the first file and 96 in the second", StringComparison.Ordinal));
        Assert.All(lines, line => Assert.InRange(line.Length, 0, 80));
    }

    [Fact]
    public void Each_side_is_headed_by_its_date_and_command()
    {
        var before = Runs(100);
        var after = before with { Environment = before.Environment with { Date = new DateTimeOffset(2026, 11, 26, 2, 3, 4, TimeSpan.Zero), Command = "mux bench -c 5" } };

        Assert.Contains("B: 2026-11-26 02:03:04 UTC: mux bench -c 5", ComparisonSummary.Lines(Comparison.Of(before, after, Threshold)));
    }

    [Fact]
    public void A_result_without_a_profile_is_of_an_edge()
    {
        var own = Runs(100);
        own = own with { Configuration = own.Configuration with { OwnServer = true, Profile = null } };

        Assert.Empty(Likeness.Differences(own, own with { Configuration = own.Configuration with { Profile = "edge" } }));
        Assert.Equal("the profile of the server was edge in the first file and internal in the second", Assert.Single(Likeness.Differences(own, own with { Configuration = own.Configuration with { Profile = "internal" } })));
    }

    [Fact]
    public void Less_bulk_is_worse_and_told_in_megabytes()
    {
        ResultFile Of(int replies) => ResultFile.Of(new BenchRuns([.. Enumerable.Repeat(Outcomes.MakeMixed(replies, size: 4 << 20, seconds: 1), 5)]));

        var sut = Comparison.Of(Of(replies: 10), Of(replies: 5), Threshold);

        Assert.Equal(ComparisonVerdict.Worse, sut.Metrics.Single(metric => metric.Metric.Name == "mb_per_s").Verdict);
        Assert.Contains(ComparisonSummary.Lines(sut), line => line.StartsWith("MB/s ", StringComparison.Ordinal) && line.EndsWith("worse", StringComparison.Ordinal));
    }

    [Fact]
    public void What_is_no_call_is_not_called_one()
    {
        var outcome = Outcomes.Make(1_000);
        var stream = ResultFile.Of(new BenchRuns([outcome with { Configuration = outcome.Configuration with { Workload = Workload.ServerStream } }]));

        var lines = ComparisonSummary.Lines(Comparison.Of(stream, stream, Threshold));

        Assert.Contains(lines, line => line.StartsWith("items/s ", StringComparison.Ordinal));
        Assert.Contains(lines, line => line.StartsWith("client CPU, us/item ", StringComparison.Ordinal));
    }

    [Fact]
    public void Results_from_before_there_were_units_tell_of_calls() => Assert.Equal("calls", (Runs(100).Configuration with { Unit = null }).Counted.Many);

    [Fact]
    public void Runs_with_bulk_elsewhere_are_not_alike()
    {
        var same = Outcomes.MakeMixed(replies: 1, size: 1, seconds: 1);
        var other = same with { Configuration = same.Configuration with { BulkOn = BulkConnection.Other } };

        Assert.Equal("the place of the bulk (--bulk-on) was same in the first file and other in the second", Assert.Single(Likeness.Differences(ResultFile.Of(new BenchRuns([same])), ResultFile.Of(new BenchRuns([other])))));
    }

    [Fact]
    public void Invalid_runs_cannot_be_compared()
    {
        var valid = Outcomes.MakeOpen();
        var before = ResultFile.Of(new BenchRuns([valid]));
        var after = ResultFile.Of(new BenchRuns([valid with { Schedule = valid.Schedule! with { InvalidBecause = ["late"] } }]));

        Assert.Equal("1 of the runs in the second file was invalid", Assert.Single(Likeness.Differences(before, after)));
    }

    internal static ResultFile Runs(params double[] rates)
    {
        var outcome = Outcomes.Make(1_000, 2_000);
        return ResultFile.Of(new BenchRuns([.. rates.Select(rate => outcome with { Elapsed = TimeSpan.FromSeconds(2 / rate) })]));
    }

    private static MetricComparison Rate(ResultFile before, ResultFile after) => Comparison.Of(before, after, Threshold).Metrics.Single(metric => metric.Metric.Name == "rate");
}
