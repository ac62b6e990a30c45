using System.Diagnostics;
using Mux.Tool.Measuring;

namespace Mux.Tool.Tests.Measuring;

public sealed class LatencyLevelsTests
{
    [Theory]
    [InlineData(0, 0)]
    [InlineData(9_999, 0)]
    [InlineData(10_000, 1)]
    [InlineData(99_999, 1)]
    [InlineData(100_000, 2)]
    [InlineData(499_999, 2)]
    [InlineData(500_000, 3)]
    [InlineData(999_999, 3)]
    [InlineData(1_000_000, 4)]
    [InlineData(2_999_999, 4)]
    [InlineData(3_000_000, 5)]
    [InlineData(50_000_000_000, 5)]
    public void A_level_holds_its_lower_edge_and_not_its_upper_one(long nanoseconds, int level)
    {
        var recorder = new LatencyRecorder();
        recorder.Record(nanoseconds / (1_000_000_000 / Stopwatch.Frequency));
        var histogram = new LatencyHistogram();
        histogram.Add(recorder);

        var levels = LatencyLevels.Of(histogram);

        Assert.Equal(6, levels.Length);
        Assert.Equal(level, Array.FindIndex(levels, l => l.Count == 1));
        Assert.Equal(1, levels.Sum(l => l.Count));
    }

    [Fact]
    public void Every_edge_is_the_edge_of_a_bucket()
    {
        foreach (long edge in LatencyLevels.Edges) Assert.Equal(edge, LatencyScale.LowerBound(LatencyScale.BucketOf(edge)));
    }
}
