using System.Diagnostics;
using Mux.TestSupport.Transports;
using Mux.Tool.Measuring;

namespace Mux.Tool.Tests.Measuring;

public sealed class LatencyHistogramTests
{
    private static readonly double[] s_quantiles = [0.001, 0.1, 0.5, 0.9, 0.99, 0.999, 1];

    [Fact]
    public void Percentiles_are_those_of_the_sorted_latencies_rounded_up_by_a_thousandth_at_most()
    {
        var random = new Random(TestSeed.Next());
        for (int round = 0; round < 50; round++)
        {
            var latencies = SomeLatencies(random);
            var sut = Recorded(latencies);
            Array.Sort(latencies);

            Assert.Equal(latencies.Length, sut.Count);
            foreach (double quantile in s_quantiles)
            {
                long exact = latencies[(int)Math.Ceiling(quantile * latencies.Length) - 1];
                Assert.InRange(sut.Percentile(quantile), exact + 1, exact + Math.Max(25, exact / 1000));
            }

            Assert.InRange(sut.Min, latencies[0] - Math.Max(25, latencies[0] / 1000), latencies[0]);
            Assert.Equal(sut.Percentile(1), sut.Max);
        }
    }

    [Fact]
    public void Its_buckets_hold_every_latency_once()
    {
        var latencies = SomeLatencies(new Random(TestSeed.Next()));
        var buckets = Recorded(latencies).Buckets().ToArray();

        Assert.Equal(latencies.Length, buckets.Sum(bucket => bucket.Count));
        foreach (var bucket in buckets) Assert.Equal(latencies.Count(latency => latency >= bucket.From && latency < bucket.To), bucket.Count);
    }

    [Fact]
    public void A_difference_holds_what_came_between_two_sums()
    {
        var recorder = new LatencyRecorder();
        recorder.Record(Ticks(1_000));
        var earlier = new LatencyHistogram();
        earlier.Add(recorder);
        recorder.Record(Ticks(2_000_000));
        recorder.Record(Ticks(3_000_000));
        recorder.RecordWrongReply();
        var later = new LatencyHistogram();
        later.Add(recorder);

        var sut = new LatencyHistogram();
        sut.SetDifference(later, earlier);

        Assert.Equal((2, 1), (sut.Count, sut.WrongReplies));
        Assert.InRange(sut.Min, 1_998_000, 2_000_000);
        Assert.InRange(sut.Max, 3_000_000, 3_003_000);
    }

    [Fact]
    public void An_empty_one_has_zeros()
    {
        var sut = new LatencyHistogram();

        Assert.Equal((0, 0, 0, 0), (sut.Count, sut.Min, sut.Max, sut.Percentile(0.5)));
        Assert.Empty(sut.Buckets());
    }

    [Fact]
    public async Task A_sum_holds_what_every_thread_has_recorded()
    {
        const int Threads = 4, Each = 10_000;
        var sut = new RecorderSet();
        using var allRun = new Barrier(Threads);

        await Task.WhenAll(Enumerable.Range(0, Threads).Select(index => Task.Factory.StartNew(
            () =>
            {
                allRun.SignalAndWait();
                for (int i = 0; i < Each; i++) sut.Current[Measured.Response].Record(Ticks(1_000 * (index + 1)));
            },
            TestContext.Current.CancellationToken,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default))).Within("the threads to have recorded");

        var sum = sut.SumInto(new LatencyHistogram());
        Assert.Equal(Threads * Each, sum.Count);
        Assert.All(sum.Buckets(), bucket => Assert.Equal(Each, bucket.Count));
    }

    private static LatencyHistogram Recorded(long[] latencies)
    {
        var recorder = new LatencyRecorder();
        foreach (long latency in latencies) recorder.Record(Ticks(latency));
        var histogram = new LatencyHistogram();
        histogram.Add(recorder);
        return histogram;
    }

    /// <summary>Of all magnitudes from 100 ns to 60 s, some many times, and few or many of them.</summary>
    private static long[] SomeLatencies(Random random)
    {
        var latencies = new long[random.Next(1, 5_000)];
        for (int i = 0; i < latencies.Length; i++)
            latencies[i] = i > 0 && random.Next(4) == 0 ? latencies[random.Next(i)] : (long)(100 * Math.Pow(10, random.NextDouble() * 8.778));
        return latencies;
    }

    private static long Ticks(long nanoseconds) => nanoseconds / (1_000_000_000 / Stopwatch.Frequency);
}
