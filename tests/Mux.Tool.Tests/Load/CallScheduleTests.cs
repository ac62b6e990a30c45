using System.Diagnostics;
using Mux.Tool.Load;

namespace Mux.Tool.Tests.Load;

public sealed class CallScheduleTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    [InlineData(1_500_000)]
    public void After_a_second_as_many_calls_as_the_rate_says_are_due_and_after_a_day_still(double rate)
    {
        var sut = new CallSchedule(rate, StartsAt: 1_000);

        Assert.Equal(1_000, sut.IntendedAt(0));
        Assert.InRange(sut.IntendedAt((long)rate) - (1_000 + Stopwatch.Frequency), -1, 1);
        Assert.InRange(sut.IntendedAt((long)rate * 86_400) - (1_000 + Stopwatch.Frequency * 86_400), -100, 100);
    }

    [Fact]
    public void On_a_ramp_the_rate_rises_evenly_from_nothing_and_stays_where_it_ends()
    {
        var sut = new CallSchedule(Rate: 1_000, StartsAt: 0, RampSeconds: 4);

        // Of 1,000 calls per second after 4 s: 500 per second in the mean until then, and a quarter of that in the first half.
        Assert.Equal([0.0, 2, 4, 5, 14], new[] { 0, 500, 2_000, 3_000, 12_000 }.Select(index => Math.Round(sut.IntendedAt(index) / (double)Stopwatch.Frequency, 6)));
        for (int index = 1; index < 5_000; index++)
            Assert.True(sut.IntendedAt(index) > sut.IntendedAt(index - 1), $"call {index} is not due after the one before");
    }
}
