using Mux.Tool.Capacity;

namespace Mux.Tool.Tests.Capacity;

public sealed class ObjectivesTests
{
    [Fact]
    public void Percentiles_and_errors_are_read_and_written_as_they_were()
    {
        var sut = Objectives.Parse("p50<500us,p99.9<2ms,errors<0.1%", out _);

        Assert.NotNull(sut);
        Assert.Equal([new LatencyObjective(0.5, TimeSpan.FromMicroseconds(500)), new LatencyObjective(0.999, TimeSpan.FromMilliseconds(2))], sut.Latencies);
        Assert.Equal(0.001, sut.ErrorLimit);
        Assert.Equal(TimeSpan.FromMicroseconds(500), sut.TightestLimit);
        Assert.Equal("p50<500us,p99.9<2ms,errors<0.1%", sut.ToString());
    }

    [Theory]
    [InlineData("p99<2ms", 10_000)]
    [InlineData("p50<1ms,p99.9<2ms", 100_000)]
    [InlineData("errors<1%", 100)]
    public void A_run_needs_100_replies_beyond_its_highest_percentile(string text, long samples) => Assert.Equal(samples, Objectives.Parse(text, out _)!.SamplesNeeded);

    [Theory]
    [InlineData("", "'' is not an objective")]
    [InlineData("p99", "'p99' is not an objective")]
    [InlineData("p99<2ms,", "'' is not an objective")]
    [InlineData("max<2ms", "'max' is not a metric: expected p50 to p99.99, or errors")]
    [InlineData("p100<2ms", "'p100' is not a metric")]
    [InlineData("p10<2ms", "'p10' is not a metric")]
    [InlineData("p99<2", "'p99<2': expected a time above 0 up to 1m, such as p99<2ms")]
    [InlineData("p99<0ms", "'p99<0ms': expected a time above 0")]
    [InlineData("p99<2m", "'p99<2m': expected a time above 0 up to 1m")]
    [InlineData("errors<0%", "'errors<0%': expected a share above 0% up to 100%")]
    [InlineData("errors<0.1", "'errors<0.1': expected a share")]
    [InlineData("errors<1%,errors<2%", "'errors' is given twice")]
    public void Anything_else_is_told_with_what_is_allowed(string text, string message)
    {
        Assert.Null(Objectives.Parse(text, out var failure));
        Assert.Contains(message, failure, StringComparison.Ordinal);
    }
}
