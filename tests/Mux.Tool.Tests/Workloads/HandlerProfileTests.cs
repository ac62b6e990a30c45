using Mux.Tool.Workloads;

namespace Mux.Tool.Tests.Workloads;

public sealed class HandlerProfileTests
{
    [Theory]
    [InlineData(0.001)]
    [InlineData(0.01)]
    [InlineData(0.5)]
    public void About_the_share_that_was_asked_for_is_slow(double share)
    {
        const int Calls = 1_000_000;
        var profile = new HandlerProfile { SlowShare = share };

        int slow = Enumerable.Range(1, Calls).Count(number => profile.IsSlow(number));

        // Five standard deviations of a binomial.
        Assert.InRange(slow - share * Calls, -5 * Math.Sqrt(Calls * share * (1 - share)), 5 * Math.Sqrt(Calls * share * (1 - share)));
    }

    [Fact]
    public void Both_ends_find_the_same_calls_slow()
    {
        var server = new HandlerProfile { SlowShare = 0.1 };
        var client = new HandlerProfile { SlowShare = 0.1, SlowMicroseconds = 1 };

        Assert.All(Enumerable.Range(1, 1_000), number => Assert.Equal(server.IsSlow(number), client.IsSlow(number)));
    }

    [Fact]
    public void Calls_beside_the_load_are_never_slow() => Assert.False(new HandlerProfile { SlowShare = 1 }.IsSlow(0));

    [Fact]
    public void All_or_none_can_be_slow()
    {
        Assert.All(Enumerable.Range(1, 1_000), number => Assert.True(new HandlerProfile { SlowShare = 1 }.IsSlow(number)));
        Assert.All(Enumerable.Range(1, 1_000), number => Assert.False(HandlerProfile.Plain.IsSlow(number)));
    }
}
