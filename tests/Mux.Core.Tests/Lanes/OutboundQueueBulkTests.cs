using Mux.Protocol;
using Mux.Runtime;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Lanes;

[Collection(nameof(ProcessWideCounters))]
public sealed class OutboundQueueBulkTests : IDisposable
{
    private readonly long _buffersBefore = BufferPool.Outstanding;
    private readonly Lock _gate = new();
    private readonly OutboundQueue _sut;
    private readonly OutboundFlow _flow = new(MuxCallPriority.Normal);

    public OutboundQueueBulkTests()
    {
        _sut = new OutboundQueue(_gate, unsentLimit: 100_000, bulkLimit: 100_000);
        _gate.Enter();
    }

    public void Dispose() => _gate.Exit();

    [Fact]
    public void A_message_passes_all_of_a_large_one_that_is_not_in_a_senders_hands()
    {
        _sut.BulkLocked.AddCredit(int.MaxValue);
        _sut.BulkLocked.Add(_flow, LaneScene.Message(1, new byte[200_000]));
        Assert.False(_sut.HasRoomLocked);
        Assert.Equal(200_000, _sut.UnsentLocked);
        var batch = _sut.TryBeginLocked()!;
        _sut.CopyLocked(ScriptedPeer.Frame(FrameKind.Response, new CallId(2, 1), [1]));
        var slots = new List<int>();

        while (batch is not null)
        {
            long length = Length(batch);
            slots.AddRange(LaneScene.Frames(batch).Select(frame => frame.Id.Slot));
            batch = _sut.EndRoundLocked(length, refused: null)!;
        }

        Assert.Equal([1, 1, 2, 1, 1, 1, 1, 1], slots);
        Assert.True(_sut.IsEmptyLocked);
        Assert.Equal(200_000 + 7 * FrameHeader.Size + 9, _sut.PositionLocked);
        Assert.Equal(_sut.PositionLocked, _sut.AcceptedLocked);
        Assert.Equal(_buffersBefore, BufferPool.Outstanding);
    }

    [Fact]
    public void Large_bytes_count_in_the_position_from_when_they_are_in_a_batch()
    {
        _sut.BulkLocked.AddCredit(int.MaxValue);
        _sut.BulkLocked.Add(_flow, LaneScene.Message(1, new byte[50_000]));
        Assert.Equal((0, 50_000), (_sut.PositionLocked, _sut.UnsentLocked));

        var batch = _sut.TryBeginLocked()!;
        _sut.CopyLocked(new byte[10]);
        Assert.Equal((50_016, 50_026), (_sut.OfferedLocked, _sut.PositionLocked));
        batch.Consume(100);
        Assert.Null(_sut.EndRoundLocked(100, refused: batch));

        Assert.Equal((100, 100), (_sut.OfferedLocked, _sut.AcceptedLocked)); // the others were refused: nothing of them is offered
        Assert.Equal(50_026 - 100, _sut.UnsentLocked);
        _sut.CloseLocked();
        Assert.Equal(_buffersBefore, BufferPool.Outstanding);
    }

    [Fact]
    public void Fragments_that_were_refused_in_part_are_sent_whole_and_in_order()
    {
        _sut.BulkLocked.AddCredit(int.MaxValue);
        byte[] body = LaneScene.Body(100_000);
        _sut.BulkLocked.Add(_flow, LaneScene.Message(1, body));
        var wire = new List<byte>();
        var batch = _sut.TryBeginLocked();
        var random = new Random(1);

        while (batch is not null)
        {
            long accepted = 0;
            while (batch is not null)
            {
                int sent = Math.Min(batch.UnsentLength, random.Next(1, 40_000));
                wire.AddRange(LaneScene.BytesOf(batch)[..sent]);
                batch.Consume(sent);
                accepted += sent;
                if (batch.UnsentLength > 0) break;
                batch = batch.Return();
            }

            bool isRefused = batch is not null;
            batch = _sut.EndRoundLocked(accepted, refused: batch);
            if (!isRefused) continue;
            Assert.Null(batch);
            _sut.CopyLocked(ScriptedPeer.Frame(FrameKind.Ping, default, new byte[8]));
            Assert.True(_sut.OnWritableLocked());
            batch = _sut.TryBeginLocked();
        }

        var frames = LaneScene.Frames([.. wire]);
        Assert.Equal(body, frames.Where(frame => frame.Kind == FrameKind.Response).SelectMany(frame => frame.Payload));
        Assert.Contains(frames, frame => frame.Kind == FrameKind.Ping);
        Assert.Equal(_buffersBefore, BufferPool.Outstanding);
    }

    [Fact]
    public void A_link_that_takes_little_at_a_time_gets_no_more_of_the_lane_than_a_batch()
    {
        _sut.BulkLocked.AddCredit(int.MaxValue);
        _sut.BulkLocked.Add(_flow, LaneScene.Message(1, new byte[2_000_000]));
        for (int round = 0; round < 300; round++)
        {
            var batch = _sut.TryBeginLocked()!;
            Assert.InRange(_sut.PositionLocked - _sut.AcceptedLocked, 1, OutboundQueue.BulkPerBatch + 32 * 1024 + FrameHeader.Size);
            long accepted = 0;
            for (int left = 3_000; left > 0;)
            {
                int sent = Math.Min(left, batch.UnsentLength);
                batch.Consume(sent);
                (accepted, left) = (accepted + sent, left - sent);
                if (batch.UnsentLength == 0) batch = batch.Return()!;
            }

            Assert.Null(_sut.EndRoundLocked(accepted, refused: batch));
            Assert.True(_sut.OnWritableLocked());
        }

        _sut.CloseLocked();
        Assert.Equal(_buffersBefore, BufferPool.Outstanding);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_queue_that_closes_gives_large_messages_back(bool whileSending)
    {
        _sut.BulkLocked.AddCredit(int.MaxValue);
        _sut.BulkLocked.Add(_flow, LaneScene.Message(1, new byte[100_000]));
        _sut.BulkLocked.Add(_flow, LaneScene.Message(1, new byte[100_000]));
        var batch = whileSending ? _sut.TryBeginLocked() : null;

        _sut.CloseLocked();
        if (whileSending) Assert.Null(_sut.EndRoundLocked(0, refused: batch));

        Assert.Equal(_buffersBefore, BufferPool.Outstanding);
    }

    private static long Length(OutboundBlock batch)
    {
        long length = 0;
        for (var block = batch; block is not null; block = block.Next) length += block.UnsentLength;
        return length;
    }
}
