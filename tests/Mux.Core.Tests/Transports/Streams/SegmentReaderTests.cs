using System.Buffers;
using Mux.Runtime;
using Mux.TestSupport.Transports;
using Mux.Transports;

namespace Mux.Core.Tests.Transports.Streams;

[Collection(nameof(TransportTests))]
public sealed class SegmentReaderTests
{
    private readonly SegmentReader _sut = new();
    private readonly long _outstanding = BufferPool.Outstanding;

    [Fact]
    public void A_segment_that_is_consumed_whole_is_shown_in_place()
    {
        var (first, second) = (new byte[100], new byte[50]);
        Assert.True(_sut.Begin(Sequence(first, second)));
        foreach (var segment in new[] { first, second })
        {
            Assert.True(_sut.TryShow(out var bytes));
            Assert.True(bytes.Overlaps(segment, out int offset) && offset == 0 && bytes.Length == segment.Length);
            Assert.True(_sut.TryConsume(segment.Length));
        }

        Assert.False(_sut.TryShow(out _));
        Assert.InRange(BufferPool.Outstanding, 0, _outstanding); // less, if links of earlier tests release theirs meanwhile
    }

    [Fact]
    public void What_crosses_a_border_is_copied_and_the_rest_of_the_segment_shown_in_place_again()
    {
        var (first, second) = (new byte[100], new byte[5_000]);
        new Random(1).NextBytes(first);
        new Random(2).NextBytes(second);
        _sut.Begin(Sequence(first, second));
        Assert.True(_sut.TryShow(out _));
        Assert.True(_sut.TryConsume(90));
        Assert.True(_sut.TryShow(out var across));
        Assert.Equal([.. first[90..], .. second[..512]], across.ToArray());
        Assert.True(_sut.TryConsume(30));
        Assert.True(_sut.TryShow(out var rest));
        Assert.True(rest.Overlaps(second, out int offset));
        Assert.Equal(-20, offset);
        Assert.True(_sut.TryConsume(4_980));
        _sut.Release();
        Assert.InRange(BufferPool.Outstanding, 0, _outstanding); // less, if links of earlier tests release theirs meanwhile
    }

    [Fact]
    public void A_tail_with_nothing_new_behind_it_is_not_shown_unless_asked_for()
    {
        _sut.Begin(Sequence(new byte[10]));
        _sut.TryShow(out _);
        _sut.TryConsume(4);
        Assert.False(_sut.TryShow(out _));
        Assert.False(_sut.Begin(Sequence(new byte[6])));
        Assert.False(_sut.TryShow(out _));
        _sut.ShowAgain();
        Assert.True(_sut.TryShow(out var bytes));
        Assert.Equal(6, bytes.Length);
        Assert.False(_sut.TryShow(out _));
    }

    [Theory]
    [InlineData(-1)]
    [InlineData(11)]
    public void More_than_was_shown_cannot_be_consumed(int count)
    {
        _sut.Begin(Sequence(new byte[10]));
        _sut.TryShow(out _);
        Assert.False(_sut.TryConsume(count));
    }

    [Fact]
    public void No_more_than_the_largest_tail_may_be_left()
    {
        _sut.Begin(Sequence(new byte[Link.MaxUnconsumedBytes], new byte[1_000]));
        while (_sut.TryShow(out var bytes) && bytes.Length <= Link.MaxUnconsumedBytes) Assert.True(_sut.TryConsume(0));
        Assert.False(_sut.TryConsume(0));
        Assert.True(_sut.TryConsume(1_000));
        _sut.Release();
    }

    [Fact]
    public void Every_byte_is_shown_in_order_whatever_the_segments_and_whatever_is_consumed()
    {
        int seed = TestSeed.Next();
        var random = new Random(seed);
        for (int round = 0; round < 200; round++)
        {
            var bytes = new byte[random.Next(1, 200_000)];
            random.NextBytes(bytes);
            int position = 0, arrived = 0;
            while (position < bytes.Length)
            {
                arrived = Math.Min(bytes.Length, Math.Max(arrived, position) + random.Next(1, 80_000));
                _sut.Begin(Cut(bytes[position..arrived], random));
                while (_sut.TryShow(out var shown))
                {
                    Assert.True(shown.SequenceEqual(bytes.AsSpan(position, shown.Length)), $"seed {seed}");
                    int fewest = Math.Max(0, shown.Length - Link.MaxUnconsumedBytes);
                    int consumed = arrived == bytes.Length && shown.Length == arrived - position ? shown.Length : random.Next(fewest, shown.Length + 1);
                    Assert.True(_sut.TryConsume(consumed), $"seed {seed}");
                    position += consumed;
                }

                _sut.Release();
            }
        }

        Assert.InRange(BufferPool.Outstanding, 0, _outstanding); // less, if links of earlier tests release theirs meanwhile
    }

    private static ReadOnlySequence<byte> Cut(byte[] bytes, Random random)
    {
        var segments = new List<byte[]>();
        for (int at = 0; at < bytes.Length;)
        {
            int length = Math.Min(bytes.Length - at, random.Next(1, random.Next(2, 20_000)));
            segments.Add(bytes[at..(at + length)]);
            at += length;
        }

        return Sequence([.. segments]);
    }

    private static ReadOnlySequence<byte> Sequence(params byte[][] segments)
    {
        var first = new Segment(segments[0], null);
        var last = first;
        foreach (var bytes in segments.Skip(1)) last = new Segment(bytes, last);
        return new ReadOnlySequence<byte>(first, 0, last, last.Memory.Length);
    }

    private sealed class Segment : ReadOnlySequenceSegment<byte>
    {
        public Segment(byte[] bytes, Segment? previous)
        {
            Memory = bytes;
            if (previous is null) return;
            RunningIndex = previous.RunningIndex + previous.Memory.Length;
            previous.Next = this;
        }
    }
}
