using Mux.Tool.Commands;

namespace Mux.Tool.Tests.Commands;

public sealed class CallRateTests
{
    [Theory]
    [InlineData("1", 1)]
    [InlineData("500", 500)]
    [InlineData("20k", 20_000)]
    [InlineData("1.5m", 1_500_000)]
    [InlineData("10m", 10_000_000)]
    public void A_number_with_or_without_k_or_m_is_a_rate(string text, double perSecond)
    {
        Assert.True(CallRate.TryParse(text, out var rate));
        Assert.Equal(perSecond, rate.PerSecond);
    }

    [Theory]
    [InlineData("")]
    [InlineData("k")]
    [InlineData("0")]
    [InlineData("0.5")]
    [InlineData("-1k")]
    [InlineData("10.1m")]
    [InlineData("1e3")]
    [InlineData("20K")]
    [InlineData("NaN")]
    public void Anything_else_is_none(string text) => Assert.False(CallRate.TryParse(text, out _));
}
