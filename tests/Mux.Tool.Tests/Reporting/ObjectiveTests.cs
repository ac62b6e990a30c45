using Mux.Tool.Capacity;
using Mux.Tool.Load;
using Mux.Tool.Reporting;
using Mux.Tool.Reporting.Html;
using Mux.Tool.Reporting.Results;

namespace Mux.Tool.Tests.Reporting;

/// <summary>Objectives of a bench: 10,000 calls of 1 ms each.</summary>
public sealed class ObjectiveTests
{
    private const long Millisecond = 1_000_000;

    [Theory]
    [InlineData("p99<2ms", ExitCode.Success, "met")]
    [InlineData("p99<500us", ExitCode.Faulty, "MISSED")]
    [InlineData("p50<2ms,p99<500us", ExitCode.Faulty, "MISSED")]
    [InlineData("p99.9<2ms", ExitCode.Invalid, "unknown")] // 10,000 replies leave ten beyond it
    [InlineData("p99.9<500us", ExitCode.Faulty, "MISSED")]
    [InlineData("errors<1%", ExitCode.Success, "met")]
    public void They_decide_about_the_exit_code(string objectives, int exitCode, string outcome)
    {
        var runs = Runs(objectives, Make());

        Assert.Equal(exitCode, runs.ExitCode);
        Assert.Contains($"Objectives {outcome}", ObjectiveLines.Lines(runs.Objectives!));
        Assert.Equal(exitCode == ExitCode.Success, !ObjectiveLines.Problems(runs.Objectives!).Any());
    }

    [Fact]
    public void A_missed_objective_is_told_with_what_was_measured() =>
        Assert.Equal("Objectives missed: p99<500us, measured 1,001 us.", Assert.Single(ObjectiveLines.Problems(Runs("p50<2ms,p99<500us", Make()).Objectives!)));

    [Theory]
    [InlineData("errors<1%", 50, ExitCode.Success)]
    [InlineData("errors<1%", 500, ExitCode.Faulty)]
    [InlineData("p99<2ms", 1, ExitCode.Faulty)] // without a budget no call may fail
    public void Failed_calls_count_against_their_budget(string objectives, long failed, int exitCode) =>
        Assert.Equal(exitCode, Runs(objectives, Make() with { Failures = new Dictionary<MuxStatus, long> { [MuxStatus.Internal] = failed } }).ExitCode);

    [Fact]
    public void A_wrong_reply_has_no_budget() => Assert.Equal(ExitCode.Faulty, Runs("errors<50%", Make() with { WrongReplies = 1 }).ExitCode);

    [Fact]
    public void An_invalid_run_proves_nothing_about_them()
    {
        var open = Outcomes.MakeOpen();

        Assert.Equal(ExitCode.Invalid, Runs("p99<1us", open with { Schedule = open.Schedule! with { InvalidBecause = ["late"] } }).ExitCode);
    }

    [Fact]
    public void Of_several_runs_the_median_decides()
    {
        BenchOutcome slow = Make(3 * Millisecond), fast = Make();

        Assert.Equal(ExitCode.Success, Runs("p99<2ms", slow, fast, fast).ExitCode);
        Assert.Equal(ExitCode.Faulty, Runs("p99<2ms", slow, slow, fast).ExitCode);
    }

    [Fact]
    public void The_result_the_flat_part_and_the_page_carry_them()
    {
        var result = ResultFile.Of(Runs("p50<2ms,p99<500us", Make()));

        Assert.False(result.Ci.SloMet);
        Assert.Equal("p50<2ms,p99<500us", result.Slo!.Objectives);
        Assert.Equal([true, false], result.Slo.Outcomes.Select(one => one.Met));
        Assert.Equal(500, result.Slo.Outcomes[1].Limit);
        var page = System.Text.Encoding.UTF8.GetString(BenchPage.Of(result));
        Assert.Contains("Objectives MISSED: p50&lt;2ms,p99&lt;500us", page, StringComparison.Ordinal);
    }

    [Fact]
    public void Their_lines_fit_80_columns()
    {
        var outcome = Runs("p50<500us,p99.99<59999.999ms,errors<0.0001%", Outcomes.Make(60_000 * Millisecond)).Objectives!;

        Assert.All(ObjectiveLines.Lines(outcome), line => Assert.InRange(line.Length, 0, 80));
    }

    private static BenchOutcome Make(long nanoseconds = Millisecond)
    {
        var latencies = new long[10_000];
        Array.Fill(latencies, nanoseconds);
        return Outcomes.Make(latencies);
    }

    private static BenchRuns Runs(string objectives, params BenchOutcome[] runs) =>
        new([.. runs.Select(run => run with { Configuration = run.Configuration with { Objectives = Objectives.Parse(objectives, out _)! } })]);
}
