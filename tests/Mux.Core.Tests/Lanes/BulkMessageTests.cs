using Mux.Protocol;
using Mux.Runtime;
using Mux.Serialization;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Lanes;

[Collection(nameof(ProcessWideCounters))]
public sealed class BulkMessageTests
{
    private readonly long _buffersBefore = BufferPool.Outstanding;

    [Fact]
    public void Its_fragments_are_the_body_whatever_their_size_and_however_they_are_sent() => Seeds.ForEach(100, seed =>
    {
        var random = new Random(seed);
        byte[] body = LaneScene.Body(random.Next(1, 100_000), seed);
        int largest = random.Next(Math.Max(1, body.Length / 50), ProtocolConstants.MaxFragmentBody + 1);
        var flow = new OutboundFlow(MuxCallPriority.Normal);
        flow.Add(LaneScene.Message(7, body, largest));
        var wire = new List<byte>();

        while (!flow.IsEmpty)
        {
            Assert.True(flow.IsReady(bulkCredit: 1));
            var block = flow.Take(out int charged);
            Assert.Equal(block.UnsentLength - FrameHeader.Size, charged);
            while (block.UnsentLength > 0)
            {
                int sent = random.Next(1, block.UnsentLength + 1);
                wire.AddRange(LaneScene.BytesOf(block)[..sent]);
                block.Consume(sent);
            }

            block.Return();
        }

        var frames = LaneScene.Frames([.. wire]);
        byte[] left = [.. frames.SelectMany(frame => frame.Payload)];
        Assert.True(body.AsSpan().SequenceEqual(left), $"The {body.Length} bytes of the body left as {left.Length} others.");
        Assert.All(frames, frame => Assert.Equal((FrameKind.Response, new CallId(7, 1)), (frame.Kind, frame.Id)));
        Assert.All(frames[..^1], frame => Assert.Equal((FrameFlags.More, largest), (frame.Header.Flags, frame.Header.Length)));
        Assert.Equal(FrameFlags.None, frames[^1].Header.Flags);
        Assert.Equal(_buffersBefore, BufferPool.Outstanding);
    });

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Its_array_comes_back_once_whoever_lets_go_last(bool queueFirst)
    {
        var message = LaneScene.Message(1, new byte[1_000], maxFragment: 100);
        var block = message.TakeFragment();
        Assert.Equal(_buffersBefore + 1, BufferPool.Outstanding);

        if (queueFirst) message.LetGo();
        else block.Return();
        Assert.Equal(_buffersBefore + 1, BufferPool.Outstanding);
        if (queueFirst) block.Return();
        else message.LetGo();

        Assert.Equal(_buffersBefore, BufferPool.Outstanding);
    }

    [Fact]
    public void Only_what_is_charged_waits_for_credit()
    {
        var flow = new OutboundFlow(MuxCallPriority.Normal);
        flow.Add(LaneScene.Message(1, new byte[1_000], isCharged: false));
        Assert.True(flow.IsReady(bulkCredit: 0));
        flow.Take(out int charged).Return();
        Assert.Equal(0, charged);

        flow.Add(LaneScene.Message(1, new byte[1_000]));
        Assert.False(flow.IsReady(bulkCredit: 0));
        flow.Clear();
        Assert.Equal((0, _buffersBefore), (flow.Unsent, BufferPool.Outstanding));
    }

    [Theory]
    [InlineData(200_000, true)]
    [InlineData(40_000, true)]
    [InlineData(10_000, false)] // too little of the buffer's array
    public void A_body_is_sent_from_the_buffer_in_which_it_was_written(int length, bool isTakenOver)
    {
        byte[] body = LaneScene.Body(length);
        var buffer = MessageBuffer.Rent();
        var writer = buffer.CreateWriter();
        writer.Write(body);
        writer.Written[0] ^= 1; // in place

        var message = BulkMessage.Take(buffer, writer.Written);
        if (!isTakenOver) writer.Written.Clear(); // it is a copy
        message.Begin(FrameKind.Response, new CallId(1, 1), 32 * 1024, isCharged: true);
        buffer.Return();

        var flow = new OutboundFlow(MuxCallPriority.Normal);
        flow.Add(message);
        var sent = new List<byte>();
        while (!flow.IsEmpty) sent.AddRange(LaneScene.Frames(flow.Take(out _))[0].Payload);
        body[0] ^= 1;
        Assert.Equal(body, sent);
        Assert.Equal(_buffersBefore, BufferPool.Outstanding);
    }

    [Fact]
    public void Small_blocks_of_a_flow_share_an_array_and_large_ones_are_linked()
    {
        var flow = new OutboundFlow(MuxCallPriority.Normal);
        for (int i = 0; i < 10; i++) flow.Add(LaneScene.Block(1, 100));
        Assert.Equal(_buffersBefore + 1, BufferPool.Outstanding);
        flow.Add(LaneScene.Block(1, 5_000));
        Assert.Equal(_buffersBefore + 2, BufferPool.Outstanding);
        flow.Add(LaneScene.Message(1, new byte[10]));
        flow.Add(LaneScene.Block(1, 100));
        Assert.Equal(10 * 108 + 5_008 + 10 + 108, flow.Unsent);

        var frames = new List<RawFrame>();
        while (!flow.IsEmpty) frames.AddRange(LaneScene.Frames(flow.Take(out _)));

        Assert.Equal([.. Enumerable.Repeat(100, 10), 5_000, 10, 100], frames.Select(frame => frame.Header.Length));
        Assert.Equal(_buffersBefore, BufferPool.Outstanding);
    }
}
