using Mux.Tool.Measuring;

namespace Mux.Tool.Tests.Measuring;

public sealed class InFlightTraceTests
{
    [Fact]
    public void Samples_come_back_as_they_were_added()
    {
        var sut = new InFlightTrace();
        foreach (int open in (int[])[3, 1, 2]) sut.Add(open);

        Assert.Equal([3, 1, 2], sut.Samples());
    }

    [Fact]
    public void Of_many_samples_even_steps_remain()
    {
        var sut = new InFlightTrace();
        for (int i = 1; i <= 20 * InFlightTrace.Capacity; i++) sut.Add(i);

        int[] samples = sut.Samples();
        Assert.InRange(samples.Length, InFlightTrace.Capacity / 2, InFlightTrace.Capacity);
        int step = samples[1] - samples[0];
        Assert.All(samples.Skip(1).Zip(samples), pair => Assert.Equal(step, pair.First - pair.Second));
    }

    [Fact]
    public void A_restart_forgets_what_came_before()
    {
        var sut = new InFlightTrace();
        for (int i = 0; i < 2 * InFlightTrace.Capacity; i++) sut.Add(i);

        sut.Restart();
        sut.Add(7);

        Assert.Equal([7], sut.Samples());
    }
}
