using Evidence.Statistics;
using SideBySide.Contracts;
using SideBySide.Reporting;

namespace Mux.Tool.Tests.Benchmarks;

public sealed class SideBySideFiguresTests
{
    [Theory]
    [InlineData(0.504, "0.50")]
    [InlineData(12.34, "12.3")]
    [InlineData(123.4, "123")]
    [InlineData(2_345_678.9, "2,345,679")]
    public void Figures_have_the_digits_that_they_deserve(double value, string text) => Assert.Equal(text, FigureText.Of(value));

    [Fact]
    public void An_interval_has_the_digits_of_its_median() => Assert.Equal("123 (9 to 1,235)", FigureText.Of(new Estimate(123.4, 9.4, 1_235.4)));

    [Fact]
    public void The_interval_of_three_values_is_their_range() => Assert.Equal(new Estimate(2, 1, 4), Estimate.Of([4, 1, 2]));

    [Fact]
    public void One_value_is_its_own_interval() => Assert.Equal(new Estimate(7, 7, 7), Estimate.Of([7]));

    [Fact]
    public void An_echo_is_the_same_only_with_its_length_its_number_and_its_bytes()
    {
        byte[] sent = EchoContent.Make(), received = EchoContent.Make();
        EchoContent.Number(sent, 3);
        Assert.False(EchoContent.IsSame(sent, received));

        EchoContent.Number(received, 3);
        Assert.True(EchoContent.IsSame(sent, received));
        Assert.False(EchoContent.IsSame(sent, received.AsSpan(1)));

        received[^1]++;
        Assert.False(EchoContent.IsSame(sent, received));
    }
}
