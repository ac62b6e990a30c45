using Mux.Tool.Capacity;
using Mux.Tool.Measuring;
using Mux.Tool.Tests.Reporting;

namespace Mux.Tool.Tests.Capacity;

/// <summary>Whose doing it is that a rate does not hold, of 10 s at 1,000 calls per second with p99 &lt; 2 ms.</summary>
public sealed class StepJudgeTests
{
    private const long Millisecond = 1_000_000;

    private static readonly StepMeasurement s_good = new(1_000, TimeSpan.FromSeconds(10), 10_000, 0, 0, All(Millisecond), All(Millisecond), All(0), []);

    [Fact]
    public void A_run_that_meets_everything_holds() => Assert.Equal(new StepFinding(StepVerdict.Held, ""), Judge(s_good));

    [Fact]
    public void A_slow_server_breaks_it() => AssertBroken(s_good with { Response = All(3 * Millisecond), Service = All(3 * Millisecond) }, "p99 3,00");

    [Fact]
    public void A_late_generator_saturates_if_the_calls_held_from_when_they_were_made() =>
        Assert.Equal(StepVerdict.Saturated, Judge(s_good with { Response = All(3 * Millisecond), Lag = All(Millisecond) }).Verdict);

    [Fact]
    public void A_lag_of_the_whole_limit_saturates_whatever_the_server_does() =>
        Assert.Equal(StepVerdict.Saturated, Judge(s_good with { Response = All(9 * Millisecond), Service = All(9 * Millisecond), Lag = All(3 * Millisecond) }).Verdict);

    [Fact]
    public void A_lag_that_the_user_accepts_is_the_servers_doing()
    {
        var run = s_good with { Response = All(3 * Millisecond), Lag = All(Millisecond) };

        Assert.Equal(StepVerdict.Broken, Judge(run, TimeSpan.FromMilliseconds(1.5)).Verdict);
        Assert.Equal(StepVerdict.Saturated, Judge(run, TimeSpan.FromMilliseconds(0.5)).Verdict);
    }

    [Fact]
    public void A_generator_that_makes_too_few_calls_saturates() => Assert.Equal(StepVerdict.Saturated, Judge(s_good with { Made = 9_800 }).Verdict);

    [Fact]
    public void A_lag_does_no_harm_while_the_objectives_hold() => Assert.Equal(StepVerdict.Held, Judge(s_good with { Lag = All(Millisecond) }).Verdict);

    [Fact]
    public void Dropped_calls_break_it() => AssertBroken(s_good with { Dropped = 1 }, "1 dropped");

    [Fact]
    public void Replies_that_fall_behind_break_it() => AssertBroken(s_good with { Response = Many(Millisecond, 9_000) }, "only 90.0 % answered");

    [Fact]
    public void Failed_calls_break_it_without_a_budget() => AssertBroken(s_good with { Failed = 1 }, "0.0 % failed");

    [Fact]
    public void Rising_calls_in_flight_break_it() => AssertBroken(s_good with { InFlight = [.. Enumerable.Range(0, 100)] }, "calls in flight kept rising");

    private static void AssertBroken(StepMeasurement run, string reason)
    {
        var finding = Judge(run);
        Assert.Equal(StepVerdict.Broken, finding.Verdict);
        Assert.StartsWith(reason, finding.Reason, StringComparison.Ordinal);
    }

    private static StepFinding Judge(StepMeasurement run, TimeSpan? maxLag = null) => StepJudge.Judge(run, Objectives.Parse("p99<2ms", out _)!, maxLag);

    private static LatencyHistogram All(long nanoseconds) => Many(nanoseconds, 10_000);

    private static LatencyHistogram Many(long nanoseconds, int count) => Outcomes.Make([.. Enumerable.Repeat(nanoseconds, count)]).Latencies;
}
