using Mux.Tool.Load;

namespace Mux.Tool.Tests.Load;

public sealed class PacerTickTests
{
    private static readonly TimeSpan s_shortest = TimeSpan.FromMicroseconds(100);
    private static readonly TimeSpan s_maxLag = TimeSpan.FromMilliseconds(1);

    [Theory]
    [InlineData(100, 10)]
    [InlineData(130_000, 10)]
    [InlineData(13_000, 1)]
    public void At_moderate_rates_turns_make_calls_and_the_pacer_looks_as_often_as_it_can(double rate, int connections) =>
        Assert.Equal(new PacerTick(s_shortest, MakesAll: false), PacerTick.For(rate, connections, s_shortest, s_maxLag));

    [Theory]
    [InlineData(140_000, 10, 300)] // 4.2 calls on each connection
    [InlineData(800_000, 10, 200)] // 16
    [InlineData(80_000, 1, 200)]
    [InlineData(5_000_000, 10, 100)] // 50: it cannot look more often
    public void At_high_rates_the_pacer_makes_all_in_bursts_of_up_to_sixteen_on_a_connection(double rate, int connections, int microseconds)
    {
        var tick = PacerTick.For(rate, connections, s_shortest, s_maxLag);

        Assert.True(tick.MakesAll);
        Assert.Equal(microseconds, tick.Length.TotalMicroseconds, 1.0);
    }

    [Fact]
    public void A_pacer_that_can_sleep_whole_milliseconds_only_leaves_calls_to_the_turns()
    {
        var millisecond = TimeSpan.FromMilliseconds(1);
        Assert.Equal(new PacerTick(millisecond, MakesAll: false), PacerTick.For(1_000_000, 10, millisecond, s_maxLag));
    }

    [Fact]
    public void Where_calls_must_not_be_late_a_tick_is_a_third_of_what_they_may_be()
    {
        Assert.Equal(150, PacerTick.For(300_000, 10, s_shortest, TimeSpan.FromMicroseconds(450)).Length.TotalMicroseconds, 1.0);
        Assert.False(PacerTick.For(1_000_000, 10, s_shortest, TimeSpan.FromMicroseconds(250)).MakesAll);
    }
}
