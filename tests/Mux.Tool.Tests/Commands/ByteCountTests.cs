using Mux.Tool.Commands;

namespace Mux.Tool.Tests.Commands;

public sealed class ByteCountTests
{
    [Theory]
    [InlineData("0", 0, "0")]
    [InlineData("500", 500, "500")]
    [InlineData("64k", 64_000, "64k")]
    [InlineData("65536", 65_536, "65536")]
    [InlineData("1.5m", 1_500_000, "1500k")]
    [InlineData("1.1m", 1_100_000, "1100k")]
    [InlineData("0.001k", 1, "1")]
    [InlineData("1000g", 1_000_000_000_000, "1000g")]
    public void A_number_with_or_without_k_m_or_g_is_a_count_and_is_written_so(string text, long bytes, string written)
    {
        Assert.True(ByteCount.TryParse(text, out var count));
        Assert.Equal((bytes, written), (count.Value, count.ToString()));
        Assert.True(ByteCount.TryParse(written, out var again));
        Assert.Equal(count, again);
    }

    [Theory]
    [InlineData("")]
    [InlineData("k")]
    [InlineData("-1k")]
    [InlineData("0.5")]
    [InlineData("1.0001k")]
    [InlineData("1e3")]
    [InlineData("20K")]
    [InlineData("64KiB")]
    [InlineData("NaN")]
    [InlineData("9999999999999999g")]
    public void Anything_else_is_none(string text) => Assert.False(ByteCount.TryParse(text, out _));

    [Fact]
    public void A_range_has_its_ends()
    {
        Assert.True(ByteCount.TryParse("1k", 1_000, 64_000, out _));
        Assert.True(ByteCount.TryParse("64k", 1_000, 64_000, out _));
        Assert.False(ByteCount.TryParse("999", 1_000, 64_000, out _));
        Assert.False(ByteCount.TryParse("64001", 1_000, 64_000, out _));
    }
}
