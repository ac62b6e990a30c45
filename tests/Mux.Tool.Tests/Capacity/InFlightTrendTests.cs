using Mux.Tool.Capacity;

namespace Mux.Tool.Tests.Capacity;

public sealed class InFlightTrendTests
{
    private const int Seed = 4711;
    private const int Samples = 200;
    private const int Calls = 20_000;

    [Fact]
    public void Calls_that_pile_up_are_rising() => Assert.True(InFlightTrend.IsRising(Trace(i => 5 * i), Calls));

    [Fact]
    public void Noise_around_a_level_is_not()
    {
        var random = new Random(Seed);

        Assert.False(InFlightTrend.IsRising(Trace(_ => 500 + random.Next(200)), Calls), $"seed {Seed}");
    }

    [Fact]
    public void A_stall_in_the_middle_is_not() => Assert.False(InFlightTrend.IsRising(Trace(i => i is > 90 and < 110 ? 5_000 : 10), Calls));

    [Fact]
    public void A_rise_within_the_precision_is_not() => Assert.False(InFlightTrend.IsRising(Trace(i => i / 4), Calls));

    [Fact]
    public void Falling_is_not() => Assert.False(InFlightTrend.IsRising(Trace(i => 5 * (Samples - i)), Calls));

    [Fact]
    public void Of_a_handful_of_samples_nothing_is_said() => Assert.False(InFlightTrend.IsRising([0, 10_000], Calls));

    private static int[] Trace(Func<int, int> open) => [.. Enumerable.Range(0, Samples).Select(open)];
}
