using Mux.Server;

namespace Mux.Core.Tests.Serving;

/// <summary>When the connections of a stopping server drain.</summary>
public sealed class DrainWavesTests
{
    private const long Second = 1_000_000;

    [Theory]
    [InlineData(0, 20 * Second, 1)]
    [InlineData(10, 20 * Second, 1)]
    [InlineData(11, 20 * Second, 2)]
    [InlineData(1_000, 20 * Second, 100)]
    [InlineData(10_000, 20 * Second, 100)]
    [InlineData(10_000, 1 * Second, 25)] // a quarter of the grace
    [InlineData(10_000, 0, 1)]
    public void Few_drain_at_once_and_many_within_a_second(int connections, long grace, int waves) =>
        Assert.Equal(waves, Math.Max(1, (connections + Size(connections, grace) - 1) / Size(connections, grace)));

    [Fact]
    public void No_number_of_connections_takes_longer_than_a_second_or_a_quarter_of_the_grace()
    {
        var random = new Random(19);
        for (int i = 0; i < 10_000; i++)
        {
            int connections = random.Next(1, 1_000_000);
            long grace = random.NextInt64(3600 * Second);
            long pauses = (connections - 1) / Size(connections, grace);
            Assert.InRange(pauses * DrainWaves.Interval, 0, Math.Min(DrainWaves.LongestSpread, grace / 4));
        }
    }

    private static int Size(int connections, long grace) => new DrainWaves(connections, grace).Size;
}
