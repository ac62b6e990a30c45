using Mux.Calls;
using Mux.Protocol;

namespace Mux.Core.Tests.Wire;

/// <summary>What a handler says about sending a call again, and what its caller reads.</summary>
public sealed class RetryHintTests
{
    [Theory]
    [InlineData(0, 0)]
    [InlineData(-20_000, 0)] // two milliseconds ago
    [InlineData(1, 1)]
    [InlineData(15_000_000, 1_500)]
    [InlineData(15_000_001, 1_501)]
    [InlineData((long)uint.MaxValue * 10_000, uint.MaxValue - 1)]
    [InlineData(long.MaxValue, uint.MaxValue - 1)]
    [InlineData(long.MinValue, 0)]
    [InlineData(-10_000, uint.MaxValue)] // Timeout.InfiniteTimeSpan
    public void A_time_is_sent_in_whole_milliseconds_and_none_but_the_infinite_one_is_never(long ticks, uint hint) =>
        Assert.Equal(hint, RetryHint.Of(TimeSpan.FromTicks(ticks)));

    [Fact]
    public void What_is_sent_as_never_is_never_sent_again_by_a_channel() => Assert.Equal(RetryPause.NeverHint, RetryHint.Never);

    [Fact]
    public void What_a_handler_does_not_say_is_no_hint() => Assert.Equal(0u, RetryHint.Of(null));

    [Fact]
    public void A_hint_is_read_as_it_was_said()
    {
        Assert.Null(RetryHint.TimeOf(0));
        Assert.Equal(TimeSpan.FromMilliseconds(1), RetryHint.TimeOf(1));
        Assert.Equal(TimeSpan.FromMilliseconds(uint.MaxValue - 1), RetryHint.TimeOf(uint.MaxValue - 1));
        Assert.Equal(Timeout.InfiniteTimeSpan, RetryHint.TimeOf(uint.MaxValue));
    }
}
