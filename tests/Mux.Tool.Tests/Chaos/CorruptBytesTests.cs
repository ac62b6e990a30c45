using System.Numerics;
using Mux.TestSupport.Transports;
using Mux.Tool.Chaos;

namespace Mux.Tool.Tests.Chaos;

/// <summary>Which bytes become wrong.</summary>
public sealed class CorruptBytesTests
{
    private const int Length = 100_000;

    [Fact]
    public void The_position_in_the_stream_decides_and_not_the_pieces()
    {
        int seed = TestSeed.Next();
        var random = new Random(seed);
        byte[] whole = new byte[Length], pieces = new byte[Length];

        int changed = new CorruptBytes(new SeededDraws(seed, 1)).Apply(whole, 0.001);
        var other = new CorruptBytes(new SeededDraws(seed, 1));
        for (int at = 0, length; at < Length; at += length)
        {
            length = Math.Min(random.Next(1, 500), Length - at);
            other.Apply(pieces.AsSpan(at, length), 0.001);
        }

        Assert.Equal(whole, pieces);
        Assert.Equal(changed, whole.Count(each => each != 0));
        Assert.All(whole, each => Assert.InRange(BitOperations.PopCount(each), 0, 1));
    }

    [Theory]
    [InlineData(0.01)]
    [InlineData(0.5)]
    [InlineData(1)]
    public void The_share_is_kept(double share)
    {
        int changed = new CorruptBytes(new SeededDraws(TestSeed.Next(), 1)).Apply(new byte[Length], share);

        double deviation = Math.Sqrt(Length * share * (1 - share)); // of a binomial distribution; six of them in one of 500 million runs
        Assert.InRange(changed, (share * Length) - (6 * deviation), (share * Length) + (6 * deviation));
    }

    [Fact]
    public void Without_a_share_no_byte_changes() => Assert.Equal(0, new CorruptBytes(new SeededDraws(1, 1)).Apply(new byte[Length], 0));

    [Fact]
    public void Every_stream_of_a_seed_has_its_own_numbers()
    {
        int seed = TestSeed.Next();

        Assert.Equal(new SeededDraws(seed, 3).Next(), new SeededDraws(seed, 3).Next());
        Assert.Equal(1000, Enumerable.Range(0, 1000).Select(stream => new SeededDraws(seed, stream).Next()).Distinct().Count());
    }
}
