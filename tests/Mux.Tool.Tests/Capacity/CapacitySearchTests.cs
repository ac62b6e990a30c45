using Mux.Tool.Capacity;

namespace Mux.Tool.Tests.Capacity;

/// <summary>The search against a server whose capacity is known: 1 / 50 us are 20,000 calls per second.</summary>
public sealed class CapacitySearchTests
{
    private const double Precision = 0.03;

    [Theory]
    [InlineData(20_000)]
    [InlineData(1_000)]
    [InlineData(500_000)]
    public async Task The_answer_is_the_capacity_whatever_the_first_guess(double guess)
    {
        var answer = await SearchAsync(new SimulatedServer(), guess);

        // A run of a second may exceed the capacity by what 2 ms of waiting hide, and the search stops within its precision.
        Assert.InRange(answer.Rate, 20_000 * (1 - 2 * Precision), 20_000 * (1 + Precision));
        Assert.True(answer.IsConfirmed);
        Assert.False(answer.IsAtLeast);
    }

    [Fact]
    public async Task Ten_percent_more_breaks_the_objectives()
    {
        var answer = await SearchAsync(new SimulatedServer(), 20_000);

        var last = answer.Steps[^1];
        Assert.Equal(("above", StepVerdict.Broken), (last.Purpose, last.Finding.Verdict));
        Assert.Equal(answer.Rate * 1.1, last.Rate, 0.01);
    }

    [Fact]
    public async Task A_limit_that_the_backlog_of_a_run_never_reaches_is_not_taken_for_capacity()
    {
        // 5 % too much for a second are 50 ms of backlog: below the limit, but rising.
        var answer = await SearchAsync(new SimulatedServer(), 20_000, "p99<1s");

        Assert.InRange(answer.Rate, 20_000 * (1 - 2 * Precision), 20_000 * (1 + Precision));
    }

    [Fact]
    public async Task A_generator_that_saturates_first_makes_the_answer_at_least()
    {
        var answer = await SearchAsync(new SimulatedServer { GeneratorLimit = 8_000 }, 8_000);

        Assert.True(answer.IsAtLeast);
        Assert.True(answer.IsLimitedByGenerator);
        Assert.Equal(8_000, answer.Rate);
        Assert.NotEqual("", answer.AtLeastBecause);
    }

    [Fact]
    public async Task The_search_ends_at_once_when_the_generator_is_saturated()
    {
        var answer = await SearchAsync(new SimulatedServer { GeneratorLimit = 5_000 }, 8_000);

        Assert.Equal([1_000, 2_000, 4_000, 8_000], answer.Steps.Select(step => step.Rate));
        Assert.Equal(StepVerdict.Saturated, answer.Steps[^1].Finding.Verdict);
        Assert.Equal((4_000, true), (answer.Rate, answer.IsLimitedByGenerator));
    }

    [Fact]
    public async Task Three_runs_that_disagree_do_not_end_the_search()
    {
        var server = new SimulatedServer();
        int run = 0;
        var search = new CapacitySearch(Parse("p99<2ms"), Precision, TimeSpan.FromSeconds(1), MeasureAsync, _ => { });

        var answer = await search.RunAsync(20_000);

        Assert.Equal([StepVerdict.Held, StepVerdict.Saturated, StepVerdict.Broken], answer.Steps.First(step => step.Rate == 10_000).Runs.Select(finding => finding.Verdict));
        Assert.False(answer.IsLimitedByGenerator);
        Assert.True(answer.Rate >= 10_000, $"{answer.Rate}");

        async Task<StepMeasurement> MeasureAsync(double rate, TimeSpan duration)
        {
            var measured = await server.MeasureAsync(rate, duration);
            return rate != 10_000 ? measured : run++ switch { 0 => measured, 1 => measured with { Made = 0 }, _ => measured with { Dropped = 1 } };
        }
    }

    [Fact]
    public async Task A_server_that_breaks_first_is_the_limit_even_if_the_generator_is_not_far()
    {
        var answer = await SearchAsync(new SimulatedServer { GeneratorLimit = 200_000 }, 20_000);

        Assert.False(answer.IsLimitedByGenerator);
        Assert.True(answer.IsConfirmed);
    }

    [Fact]
    public async Task One_disturbed_run_of_three_changes_nothing()
    {
        var answer = await SearchAsync(new SimulatedServer { IsDisturbed = run => run % 3 == 0 }, 20_000);

        Assert.InRange(answer.Rate, 20_000 * (1 - 3 * Precision), 20_000 * (1 + Precision));
        Assert.Contains(answer.Steps, step => step.Runs.Count == 3);
    }

    [Fact]
    public async Task A_server_that_is_always_too_slow_has_no_capacity()
    {
        var answer = await SearchAsync(new SimulatedServer { Cost = 5e-3 }, 200, "p50<2ms");

        Assert.Equal(0, answer.Rate);
        Assert.False(answer.IsConfirmed);
    }

    [Fact]
    public async Task A_generator_that_is_late_at_any_rate_leaves_it_unknown()
    {
        var answer = await SearchAsync(new SimulatedServer { GeneratorLimit = 1 }, 10_000, "p50<2ms");

        Assert.Equal(0, answer.Rate);
        Assert.True(answer.IsAtLeast);
    }

    [Fact]
    public async Task Failed_calls_count_against_their_budget_alone()
    {
        var server = new SimulatedServer { FailedShare = 0.005 };

        Assert.Equal(0, (await SearchAsync(server, 20_000, "p99<2ms,errors<0.1%")).Rate);
        Assert.Equal(0, (await SearchAsync(server, 20_000, "p99<2ms")).Rate);
        Assert.True((await SearchAsync(server, 20_000, "p99<2ms,errors<1%")).Rate > 15_000);
    }

    [Fact]
    public async Task Every_run_has_the_replies_that_its_percentile_needs()
    {
        var answer = await SearchAsync(new SimulatedServer { Cost = 5e-3 }, 200, "p99<20ms");

        Assert.InRange(answer.Rate, 200 * (1 - 2 * Precision), 200 * (1 + Precision));
        Assert.All(answer.Steps.Where(step => step.Finding.Verdict == StepVerdict.Held), step => Assert.True(step.Typical.Response.Count >= 9_900));
    }

    [Fact]
    public async Task Confirmation_runs_are_three_times_as_long()
    {
        var answer = await SearchAsync(new SimulatedServer(), 20_000);

        Assert.All(answer.Steps.Where(step => step.Purpose == "bisection"), step => Assert.Equal(1, step.Typical.Elapsed.TotalSeconds, 0.1));
        Assert.Equal(3, answer.Steps[^1].Typical.Elapsed.TotalSeconds);
    }

    [Fact]
    public async Task Every_rate_that_was_tried_is_reported_in_order()
    {
        var reported = new List<CapacityStep>();
        var search = new CapacitySearch(Parse("p99<2ms"), Precision, TimeSpan.FromSeconds(1), new SimulatedServer().MeasureAsync, reported.Add);

        var answer = await search.RunAsync(20_000);

        Assert.Equal(answer.Steps, reported);
        Assert.Equal(["ramp", "bisection", "confirmation", "above"], reported.Select(step => step.Purpose).Distinct());
    }

    private static Task<CapacityAnswer> SearchAsync(SimulatedServer server, double guess, string objectives = "p99<2ms") =>
        new CapacitySearch(Parse(objectives), Precision, TimeSpan.FromSeconds(1), server.MeasureAsync, _ => { }).RunAsync(guess);

    private static Objectives Parse(string text) => Objectives.Parse(text, out _)!;
}
