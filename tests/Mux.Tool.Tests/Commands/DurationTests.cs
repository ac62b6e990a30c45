using Mux.Tool.Commands;

namespace Mux.Tool.Tests.Commands;

public sealed class DurationTests
{
    [Theory]
    [InlineData("50us", 0.05)]
    [InlineData("500ms", 500)]
    [InlineData("0ms", 0)]
    [InlineData("10s", 10_000)]
    [InlineData("1.5s", 1_500)]
    [InlineData("2m", 120_000)]
    [InlineData("24h", 86_400_000)]
    public void A_number_and_a_unit_are_a_duration(string text, double milliseconds)
    {
        Assert.True(Duration.TryParse(text, out var duration));
        Assert.Equal(milliseconds, duration.Value.TotalMilliseconds);
    }

    [Theory]
    [InlineData("")]
    [InlineData("10")]
    [InlineData("s")]
    [InlineData("10x")]
    [InlineData("10 s")]
    [InlineData("-1s")]
    [InlineData("1e3s")]
    [InlineData("1..5s")]
    [InlineData("NaNs")]
    [InlineData("10S")]
    [InlineData("99999999999999999999h")]
    public void Anything_else_is_none(string text) => Assert.False(Duration.TryParse(text, out _));

    [Theory]
    [InlineData("50us")]
    [InlineData("500ms")]
    [InlineData("0ms")]
    [InlineData("1500ms")]
    [InlineData("10s")]
    [InlineData("2m")]
    [InlineData("24h")]
    public void It_is_written_as_it_is_read(string text)
    {
        Assert.True(Duration.TryParse(text, out var duration));
        Assert.Equal(text, duration.ToString());
    }
}
