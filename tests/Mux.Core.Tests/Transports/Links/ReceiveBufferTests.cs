using Mux.Engine;
using Mux.Runtime;
using Mux.Transports;

namespace Mux.Core.Tests.Transports.Links;

[Collection(nameof(TransportTests))]
public sealed class ReceiveBufferTests
{
    private readonly ReceiveBuffer _sut = new();
    private readonly long _outstanding = BufferPool.Outstanding;

    [Fact]
    public void What_arrives_is_shown_behind_the_unconsumed_tail()
    {
        Assert.Equal("abc"u8.ToArray(), Arrive("abc"u8));
        Assert.True(_sut.TryConsume(1));
        Assert.Equal("bcde"u8.ToArray(), Arrive("de"u8));
        Assert.True(_sut.TryConsume(4));
        Assert.Equal(0, _sut.Unconsumed);
        _sut.Release();
    }

    [Theory]
    [InlineData(1)]
    [InlineData(100)]
    [InlineData(4_096)]
    [InlineData(4_097)]
    [InlineData(65_536)]
    [InlineData(Link.MaxUnconsumedBytes)]
    public void A_tail_of_any_allowed_size_survives_parking_and_leaves_room_for_more(int tail)
    {
        var bytes = new byte[tail];
        new Random(tail).NextBytes(bytes);
        for (int at = 0; at < tail;)
        {
            int piece = Math.Min(10_000, tail - at);
            Arrive(bytes.AsSpan(at, piece));
            at += piece;
            _sut.Park();
        }

        Assert.True(_sut.TryConsume(0));
        Assert.InRange(_sut.Room().Length, 16_384, 131_072);
        Assert.Equal([.. bytes, 1], Arrive([1]));
        Assert.True(_sut.TryConsume(tail + 1));
        _sut.Release();
        Assert.InRange(BufferPool.Outstanding, 0, _outstanding); // less, if links of earlier tests release theirs meanwhile
    }

    [Theory]
    [InlineData(1, 16)]
    [InlineData(4_096, 4_096)]
    [InlineData(4_097, 8_192)]
    [InlineData(16_384, 16_384)]
    [InlineData(16_385, 65_536)]
    public void A_tail_waits_in_an_array_of_its_size(int tail, int held)
    {
        Arrive(new byte[20_000]);
        Assert.True(_sut.TryConsume(20_000 - tail));
        _sut.Park();
        Assert.InRange(_sut.Held, tail, held);
        _sut.Release();
    }

    [Fact]
    public void Nothing_is_held_while_nothing_is_unconsumed()
    {
        Arrive("abc"u8);
        Assert.True(_sut.TryConsume(3));
        _sut.Park();
        Assert.InRange(BufferPool.Outstanding, 0, _outstanding); // less, if links of earlier tests release theirs meanwhile
    }

    [Fact]
    public void A_handler_that_consumes_what_it_was_not_given_is_found_out()
    {
        Arrive("abc"u8);
        Assert.False(_sut.TryConsume(4));
        Assert.False(_sut.TryConsume(-1));
        Assert.Equal(3, _sut.Unconsumed);
        _sut.Release();
    }

    [Fact]
    public void A_handler_that_leaves_more_than_a_link_keeps_is_found_out()
    {
        Arrive(new byte[60_000]);
        Arrive(new byte[Link.MaxUnconsumedBytes + 1 - 60_000]);
        Assert.False(_sut.TryConsume(0));
        Assert.True(_sut.TryConsume(1));
        _sut.Release();
    }

    [Fact]
    public void The_array_that_is_kept_for_a_tail_is_not_longer_than_what_connections_count_for_it()
    {
        foreach (int tail in new[] { 1_025, 4_096, 4_097, 16_384, 16_385, 60_000, Link.MaxUnconsumedBytes })
        {
            for (int arrived = 0; arrived < tail; arrived += 10_000)
            {
                Arrive(new byte[Math.Min(10_000, tail - arrived)]);
                Assert.True(_sut.TryConsume(0));
                _sut.Park();
            }

            Assert.InRange(_sut.Held, tail, KeptInput.ArrayOf(tail));
            _sut.Release();
        }
    }

    private byte[] Arrive(ReadOnlySpan<byte> bytes)
    {
        bytes.CopyTo(_sut.Room());
        return _sut.Arrived(bytes.Length).ToArray();
    }
}
