using Mux.Tool.Commands;

namespace Mux.Tool.Tests.Commands;

public sealed class CallCountTests
{
    [Theory]
    [InlineData("1", 1)]
    [InlineData("20k", 20_000)]
    [InlineData("3m", 3_000_000)]
    [InlineData("1000m", 1_000_000_000)]
    public void A_number_with_or_without_a_unit_is_taken(string text, long count)
    {
        Assert.True(CallCount.TryParse(text, out var parsed));
        Assert.Equal(count, parsed.Value);
    }

    [Theory]
    [InlineData("")]
    [InlineData("k")]
    [InlineData("0")]
    [InlineData("0k")]
    [InlineData("-1")]
    [InlineData("1.5k")]
    [InlineData("1001m")]
    [InlineData("9223372036854775807m")]
    public void Anything_else_is_not(string text) => Assert.False(CallCount.TryParse(text, out _));
}
