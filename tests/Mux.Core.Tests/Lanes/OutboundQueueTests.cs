using System.Text;
using Mux.Protocol;
using Mux.Runtime;

namespace Mux.Core.Tests.Lanes;

[Collection(nameof(ProcessWideCounters))]
public sealed class OutboundQueueTests : IDisposable
{
    private readonly long _buffersBefore = BufferPool.Outstanding;
    private readonly Lock _gate = new();
    private readonly OutboundQueue _sut;

    public OutboundQueueTests()
    {
        _sut = new OutboundQueue(_gate, unsentLimit: 100, bulkLimit: 100);
        _gate.Enter();
    }

    public void Dispose() => _gate.Exit();

    [Fact]
    public void Bytes_leave_in_the_order_in_which_they_were_appended()
    {
        Append("one ");
        Append("two ");
        _sut.AppendLocked(Block("three "));
        Append("four");

        Assert.Equal("one two three four", SendAll());
    }

    [Fact]
    public void What_was_accepted_is_never_sent_again_and_the_rest_comes_first()
    {
        Append("abcdef");
        var batch = _sut.TryBeginLocked()!;
        batch.Consume(4);

        Assert.Null(_sut.EndRoundLocked(4, refused: batch));
        Append("ghi");
        Assert.True(_sut.OnWritableLocked());

        Assert.Equal("efghi", SendAll());
    }

    [Fact]
    public void There_is_one_sender_at_a_time()
    {
        Append("a");
        var batch = _sut.TryBeginLocked();
        Assert.NotNull(batch);
        Append("b");
        Assert.Null(_sut.TryBeginLocked());

        var next = _sut.EndRoundLocked(1, refused: Sent(batch));

        Assert.Equal("b", Text(next!));
        Assert.Null(_sut.EndRoundLocked(1, refused: Sent(next!)));
        Assert.Null(_sut.TryBeginLocked());
        Assert.True(_sut.IsEmptyLocked);
    }

    [Fact]
    public void While_the_link_refuses_nobody_sends()
    {
        Append("abc");
        Assert.Null(_sut.EndRoundLocked(0, refused: _sut.TryBeginLocked()));

        Assert.True(_sut.IsBlockedLocked);
        Assert.Null(_sut.TryBeginLocked());

        Assert.True(_sut.OnWritableLocked());
        Assert.Equal("abc", SendAll());
    }

    [Fact]
    public void A_link_that_is_writable_before_its_refusal_is_reported_is_tried_again_at_once()
    {
        Append("abc");
        var batch = _sut.TryBeginLocked();
        Assert.False(_sut.OnWritableLocked());

        var again = _sut.EndRoundLocked(0, refused: batch);

        Assert.Equal("abc", Text(again!));
        Sent(again!);
    }

    [Fact]
    public void Room_is_what_the_limit_leaves()
    {
        Append(new string('x', 99));
        Assert.True(_sut.HasRoomLocked);
        Append("x");
        Assert.False(_sut.HasRoomLocked);
        Assert.Equal(100, _sut.Unsent);

        SendAll();

        Assert.True(_sut.HasRoom);
        Assert.Equal((100, 100, 0), (_sut.PositionLocked, _sut.AcceptedLocked, _sut.UnsentLocked));
    }

    [Fact]
    public void Bytes_in_a_senders_hands_count_as_offered_until_it_reports()
    {
        Append("abc");
        Assert.Equal(0, _sut.OfferedLocked);
        var batch = _sut.TryBeginLocked()!;
        Append("def");
        Assert.Equal(3, _sut.OfferedLocked);
        batch.Consume(1);

        _sut.EndRoundLocked(1, refused: batch);

        Assert.Equal(1, _sut.OfferedLocked);
        SendAll();
    }

    [Fact]
    public void A_frame_that_does_not_fit_behind_the_others_gets_a_block_of_its_own()
    {
        Append(new string('a', OutboundBlock.Size - 10));
        Append(new string('b', 100_000));

        Assert.Equal(OutboundBlock.Size - 10 + 100_000, SendAll().Length);
    }

    [Theory]
    [InlineData(4096, 1)]
    [InlineData(4097, 2)]
    public void A_small_block_is_copied_behind_what_is_queued_and_a_large_one_is_linked(int size, int blocks)
    {
        Append("a");
        _sut.AppendLocked(Block(new string('b', size)));

        var batch = _sut.TryBeginLocked()!;

        Assert.Equal(blocks, batch.Next is null ? 1 : 2);
        Sent(batch);
    }

    [Theory]
    [InlineData(100)]
    [InlineData(4200)]
    [InlineData(OutboundBlock.Size / 2)]
    [InlineData(OutboundBlock.Size - 100)]
    public void While_the_link_refuses_blocks_hold_in_proportion_to_what_is_unsent(int size)
    {
        Append("a");
        Assert.Null(_sut.EndRoundLocked(0, refused: _sut.TryBeginLocked()));
        for (int i = 0; i < 100; i++) _sut.AppendLocked(Block(new string('b', size)));

        long blocks = BufferPool.Outstanding - _buffersBefore;

        Assert.InRange(blocks, 1, 2 * _sut.Unsent / OutboundBlock.Size + 2);
        Assert.True(_sut.OnWritableLocked());
        Assert.Equal(1 + 100 * size, SendAll().Length);
    }

    [Fact]
    public void A_closed_queue_gives_everything_back_and_takes_nothing()
    {
        Append("abc");
        _sut.CloseLocked();

        _sut.AppendLocked(Block("def"));

        Assert.Null(_sut.TryBeginLocked());
        Assert.Equal(_buffersBefore, BufferPool.Outstanding);
    }

    [Fact]
    public void A_queue_that_closes_while_it_is_sent_gives_the_rest_back_when_the_sender_reports()
    {
        Append("abc");
        var batch = _sut.TryBeginLocked();
        Append("def");
        _sut.CloseLocked();

        Assert.Null(_sut.EndRoundLocked(0, refused: batch));

        Assert.Equal(_buffersBefore, BufferPool.Outstanding);
    }

    private void Append(string text)
    {
        var bytes = Encoding.ASCII.GetBytes(text);
        bytes.CopyTo(_sut.ReserveLocked(bytes.Length));
        _sut.CommitLocked(bytes.Length);
    }

    private static OutboundBlock Block(string text)
    {
        var block = OutboundBlock.Rent(text.Length);
        Encoding.ASCII.GetBytes(text, block.Free);
        block.Commit(text.Length);
        return block;
    }

    /// <summary>What a sender would send that gets everything through.</summary>
    private string SendAll()
    {
        var all = new StringBuilder();
        for (var batch = _sut.TryBeginLocked(); batch is not null;)
        {
            string text = Text(batch);
            all.Append(text);
            batch = _sut.EndRoundLocked(text.Length, refused: Sent(batch));
        }

        return all.ToString();
    }

    private static string Text(OutboundBlock batch)
    {
        var all = new StringBuilder();
        for (var block = batch; block is not null; block = block.Next) all.Append(Encoding.ASCII.GetString(block.Unsent));
        return all.ToString();
    }

    private static OutboundBlock? Sent(OutboundBlock batch)
    {
        for (var block = batch; block is not null;) block = block.Return();
        return null;
    }
}
