using Mux.Calls;

namespace Mux.Core.Tests.Resilience;

public sealed class RetryPauseTests
{
    [Theory]
    [InlineData(1, 25_000)]
    [InlineData(2, 50_000)]
    [InlineData(3, 100_000)]
    [InlineData(6, 800_000)]
    [InlineData(7, 1_000_000)]
    [InlineData(1_000, 1_000_000)]
    public void A_pause_is_random_up_to_a_bound_that_doubles_to_a_second(int failures, long bound)
    {
        Assert.Equal(0, RetryPause.After(failures, 0, 0));
        Assert.Equal(bound / 2, RetryPause.After(failures, 0, 0.5));
        Assert.Equal(bound, RetryPause.After(failures, 0, 1));
    }

    [Fact]
    public void A_server_that_asks_for_a_time_gets_it_and_up_to_a_fifth_more()
    {
        Assert.Equal(3_000_000, RetryPause.After(1, 3_000, 0));
        Assert.Equal(3_600_000, RetryPause.After(5, 3_000, 1), 1.0);
    }

    [Theory]
    [InlineData(1, 100, 100_000)]
    [InlineData(2, 100, 200_000)]
    [InlineData(4, 100, 800_000)]
    [InlineData(1_000, 100, 1_000_000)]
    [InlineData(1_000, 3_000, 3_000_000)]
    public void A_server_without_memory_gets_the_time_that_it_asks_for_and_more_while_it_lasts(int refusals, uint hint, long pause)
    {
        Assert.Equal(pause, RetryPause.WhileFull(refusals, hint, 0));
        Assert.InRange(RetryPause.WhileFull(refusals, hint, 1), pause, pause * 1.2);
    }

    [Fact]
    public void A_server_that_says_never_is_believed() => Assert.Equal(RetryPause.Never, RetryPause.After(1, uint.MaxValue, 0.5));
}
