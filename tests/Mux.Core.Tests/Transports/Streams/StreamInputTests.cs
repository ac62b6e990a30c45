using Mux.Runtime;

namespace Mux.Core.Tests.Transports.Streams;

/// <summary>What one turn takes from streams that give one message, or record, at a time.</summary>
[Collection(nameof(ProcessWideCounters))]
public sealed class StreamInputTests
{
    private readonly MessageStream _stream = new();
    private readonly StreamInput _sut;

    public StreamInputTests() => _sut = new StreamInput(_stream, isOneWay: false, hasWaiting: null);

    [Fact]
    public void Messages_that_have_come_are_taken_together()
    {
        Assert.False(_sut.Begin());
        for (int i = 0; i < 5; i++) _stream.Arrive([(byte)i, 9]);
        Assert.True(_sut.TryTake());
        Assert.Equal([0, 9, 1, 9, 2, 9, 3, 9, 4, 9], Shown());
        Assert.False(_sut.Begin());
        Assert.True(_sut.IsPending);
    }

    [Fact]
    public void One_turn_takes_sixty_four_at_most()
    {
        for (int i = 0; i < 100; i++) _stream.Arrive([(byte)i]);
        Assert.True(_sut.Begin());
        Assert.True(_sut.TryTake());
        Assert.Equal(64, Shown().Length);
        Assert.True(_sut.Begin());
        Assert.True(_sut.TryTake());
        Assert.Equal(100, Shown().Length);
    }

    [Fact]
    public void Large_ones_are_taken_as_far_as_there_is_room()
    {
        for (int i = 0; i < 100; i++) _stream.Arrive(new byte[16_000]);
        Assert.True(_sut.Begin());
        Assert.True(_sut.TryTake());
        Assert.InRange(Shown().Length, 48_000, 65_536);
    }

    [Fact]
    public void A_failure_comes_behind_what_came_before_it()
    {
        _stream.Arrive([1]);
        _stream.Arrive([2]);
        _stream.Fail(new IOException("Cut."));
        Assert.True(_sut.Begin());
        Assert.True(_sut.TryTake());
        Assert.Equal([1, 2], Shown());
        Assert.True(_sut.Begin());
        Assert.Equal("Cut.", Assert.Throws<IOException>(() => _sut.TryTake()).Message);
    }

    [Fact]
    public void The_end_comes_with_what_came_before_it()
    {
        _stream.Arrive([1]);
        _stream.Arrive([]);
        Assert.True(_sut.Begin());
        Assert.True(_sut.TryTake());
        Assert.Equal([1], Shown());
        Assert.True(_sut.IsAtEnd);
        Assert.False(_sut.IsPending);
    }

    [Fact]
    public void A_message_that_has_come_in_part_holds_nothing_back()
    {
        _stream.Arrive([1]);
        _stream.BeginMessage();
        Assert.True(_sut.Begin());
        Assert.True(_sut.TryTake());
        Assert.Equal([1], Shown());
        Assert.True(_sut.IsPending);
        Assert.False(_sut.Begin());
        Assert.True(_sut.TryConsume(1)); // the bytes stay where they are while a read is under way
        _stream.EndMessage([2, 3]);
        Assert.True(_sut.TryTake());
        Assert.Equal([2, 3], Shown());
    }

    [Fact]
    public void Everything_is_given_back_after_a_read_that_ended_late()
    {
        long before = BufferPool.Outstanding;
        _stream.Arrive([1]);
        _stream.BeginMessage();
        Assert.True(_sut.Begin());
        Assert.True(_sut.TryTake());
        Assert.Equal(before + 1, BufferPool.Outstanding);
        _stream.EndMessage([2]);
        Assert.False(_sut.IsPending);
        _sut.Release();
        Assert.Equal(before, BufferPool.Outstanding);
    }

    private byte[] Shown() => _sut.TryShow(out var bytes) ? bytes.ToArray() : [];
}
