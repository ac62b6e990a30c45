using Mux.Calls;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Resilience;

public sealed class HedgeDelayTests
{
    [Fact]
    public void Without_a_hundred_samples_there_is_no_delay()
    {
        var sut = new HedgeDelay();
        for (int i = 1; i < HedgeDelay.LeastSamples; i++) sut.Add(1_000);
        Assert.False(sut.TryGet(out _));

        sut.Add(1_000);

        Assert.True(sut.TryGet(out long delay));
        Assert.InRange(delay, 1_000, 1_125);
    }

    [Fact]
    public void At_most_one_call_in_twenty_takes_longer_and_the_delay_is_at_most_an_eighth_too_long() => Seeds.ForEach(200, seed =>
    {
        var random = new Random(seed);
        var sut = new HedgeDelay();
        var samples = Enumerable.Range(0, random.Next(100, 4_000)).Select(_ => (long)Math.Exp(random.NextDouble() * 16)).ToList();
        foreach (long sample in samples) sut.Add(sample);
        samples.Sort();
        long exact = samples[(int)Math.Ceiling(samples.Count * 0.95) - 1];

        Assert.True(sut.TryGet(out long delay));
        Assert.InRange(delay, exact + 1, exact + (exact / 8) + 1);
    });

    [Fact]
    public void A_method_that_has_become_slow_is_known_as_slow_after_some_thousand_calls()
    {
        var sut = new HedgeDelay();
        for (int i = 0; i < 100_000; i++) sut.Add(100);
        for (int i = 0; i < 5_000; i++) sut.Add(50_000);

        Assert.True(sut.TryGet(out long delay));
        Assert.InRange(delay, 50_000, 57_000);
    }

    [Theory]
    [InlineData(-5)]
    [InlineData(0)]
    [InlineData(long.MaxValue)]
    public void Any_duration_has_a_step(long microseconds)
    {
        var sut = new HedgeDelay();
        for (int i = 0; i < HedgeDelay.LeastSamples; i++) sut.Add(microseconds);
        Assert.True(sut.TryGet(out long delay));
        Assert.True(delay > 0);
    }
}
