using Mux.Tool.Commands;

namespace Mux.Tool.Tests.Commands;

public sealed class SlowRepliesTests
{
    [Theory]
    [InlineData("1%:5ms", 0.01, 5_000)]
    [InlineData("0.1%:500us", 0.001, 500)]
    [InlineData("100%:10s", 1, 10_000_000)]
    public void A_share_and_a_time_are_slow_replies_and_written_as_they_are_read(string text, double share, double microseconds)
    {
        Assert.True(SlowReplies.TryParse(text, out var slow));
        Assert.Equal(share, slow.Share, 1e-12);
        Assert.Equal(microseconds, slow.Time.TotalMicroseconds);
        Assert.Equal(text, slow.ToString());
    }

    [Theory]
    [InlineData("1%")]
    [InlineData("1%:")]
    [InlineData("1:5ms")]
    [InlineData("0%:5ms")]
    [InlineData("-1%:5ms")]
    [InlineData("101%:5ms")]
    [InlineData("1%:0ms")]
    [InlineData("1%:11s")]
    [InlineData("5ms:1%")]
    public void Anything_else_is_none(string text) => Assert.False(SlowReplies.TryParse(text, out _));
}
