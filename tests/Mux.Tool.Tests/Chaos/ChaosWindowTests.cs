using Mux.Tool.Chaos;

namespace Mux.Tool.Tests.Chaos;

/// <summary>When faults happen.</summary>
public sealed class ChaosWindowTests
{
    private static readonly ChaosWindow s_repeated = new(TimeSpan.FromSeconds(10), TimeSpan.FromSeconds(2), TimeSpan.FromSeconds(30));

    [Fact]
    public void Without_times_faults_last_from_the_start_to_the_end()
    {
        Assert.True(default(ChaosWindow).IsOpen(TimeSpan.Zero));
        Assert.Null(default(ChaosWindow).UntilChange(TimeSpan.FromHours(1)));
    }

    [Theory]
    [InlineData(9.9, false, 0.1)]
    [InlineData(10, true, 2)]
    [InlineData(11.5, true, 0.5)]
    [InlineData(12, false, 28)]
    [InlineData(39, false, 1)]
    [InlineData(40, true, 2)]
    [InlineData(71, true, 1)]
    public void A_window_opens_and_closes_in_every_round(double at, bool isOpen, double untilChange)
    {
        Assert.Equal(isOpen, s_repeated.IsOpen(TimeSpan.FromSeconds(at)));
        Assert.Equal(untilChange, s_repeated.UntilChange(TimeSpan.FromSeconds(at))!.Value.TotalSeconds, precision: 3);
    }

    [Fact]
    public void A_window_that_does_not_repeat_stays_closed()
    {
        var once = s_repeated with { Every = null };

        Assert.True(once.IsOpen(TimeSpan.FromSeconds(11)));
        Assert.False(once.IsOpen(TimeSpan.FromSeconds(41)));
        Assert.Null(once.UntilChange(TimeSpan.FromSeconds(41)));
    }
}
