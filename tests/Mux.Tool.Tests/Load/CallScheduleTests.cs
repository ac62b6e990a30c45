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
}
