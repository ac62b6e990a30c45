using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Framing;

/// <summary>However a stream is cut into deliveries, it is the same stream.</summary>
public sealed class SplitStreamTests
{
    private static readonly ParsedStream s_whole = ParsedStream.Of(SampleStream.AllKinds, [int.MaxValue]);

    [Fact]
    public void A_valid_stream_is_twenty_three_frames_and_no_rest()
    {
        Assert.Equal(23, s_whole.Frames.Count);
        Assert.Equal((null, 0), (s_whole.Violation, s_whole.Rest));
    }

    [Fact]
    public void Split_once_at_every_byte()
    {
        for (int at = 0; at <= SampleStream.AllKinds.Length; at++) s_whole.AssertSame(ParsedStream.Of(SampleStream.AllKinds, [at, int.MaxValue]));
    }

    [Fact]
    public void Split_twice_at_every_pair_of_bytes_of_a_part()
    {
        byte[] part = SampleStream.AllKinds[..150];
        var whole = ParsedStream.Of(part, [int.MaxValue]);
        for (int first = 0; first < part.Length; first++)
        {
            for (int second = 1; first + second < part.Length; second++) whole.AssertSame(ParsedStream.Of(part, [first, second, int.MaxValue]));
        }
    }

    [Fact]
    public void Byte_by_byte() => s_whole.AssertSame(ParsedStream.Of(SampleStream.AllKinds, Enumerable.Repeat(1, SampleStream.AllKinds.Length)));

    [Fact]
    public void Random_bytes_are_judged_alike_whole_and_in_pieces() => Seeds.ForEach(300, seed =>
    {
        var random = new Random(seed);
        var stream = new byte[random.Next(1, 3_000)];
        random.NextBytes(stream);

        ParsedStream.Of(stream, [int.MaxValue]).AssertSame(ParsedStream.Of(stream, Pieces(random, stream.Length)));
    });

    [Fact]
    public void Mutated_streams_are_judged_alike_whole_and_in_pieces() => Seeds.ForEach(500, seed =>
    {
        var random = new Random(seed);
        byte[] stream = Mutation.Of(SampleStream.AllKinds, random);

        ParsedStream.Of(stream, [int.MaxValue]).AssertSame(ParsedStream.Of(stream, Pieces(random, stream.Length)));
    });

    private static IEnumerable<int> Pieces(Random random, int length)
    {
        for (int at = 0; at < length;)
        {
            int piece = random.Next(1, 50);
            at += piece;
            yield return piece;
        }
    }
}
