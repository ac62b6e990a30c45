using Mux.Protocol;
using Mux.Runtime;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Lanes;

[Collection(nameof(ProcessWideCounters))]
public sealed class BulkLaneTests
{
    private const int Batch = OutboundQueue.BulkPerBatch;
    private const int Frame = ProtocolConstants.MaxFragmentBody + FrameHeader.Size;

    private readonly long _buffersBefore = BufferPool.Outstanding;
    private readonly BulkLane _sut = new(limit: 100_000);

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Calls_share_by_priority_to_within_one_frame(bool inFragments) => Seeds.ForEach(20, seed =>
    {
        var random = new Random(seed);
        var lane = new BulkLane(limit: 1);
        lane.AddCredit(int.MaxValue);
        var flows = Enumerable.Range(0, random.Next(2, 6)).Select(_ => new OutboundFlow((MuxCallPriority)random.Next(3))).ToArray();
        for (int i = 0; i < flows.Length; i++)
        {
            if (inFragments) lane.Add(flows[i], LaneScene.Message(i + 1, new byte[1_500_000], random.Next(1_000, 32 * 1024 + 1)));
            for (int sum = 0; !inFragments && sum < 1_500_000;)
            {
                int length = random.Next(5_000, 32 * 1024 + 1); // so large that it is not copied behind the one before
                lane.Add(flows[i], LaneScene.Block(i + 1, length));
                sum += length;
            }
        }

        var sent = new long[flows.Length];
        while (flows.All(flow => flow.Unsent > 4 * Frame)) // what is left behind the end of one is shared by the others
        {
            foreach (var frame in LaneScene.Frames(lane.Take(random.Next(1, 2 * Batch)))) sent[frame.Id.Slot - 1] += FrameHeader.Size + frame.Header.Length;
        }

        for (int a = 0; a < flows.Length; a++)
        {
            for (int b = 0; b < flows.Length; b++)
            {
                double lead = (double)sent[a] / flows[a].Quantum - (double)sent[b] / flows[b].Quantum;
                Assert.True(lead <= 1 + (double)Frame / flows[a].Quantum + (double)Frame / flows[b].Quantum, $"{a} of {flows[a].Quantum} is {lead:0.0} turns before {b} of {flows[b].Quantum}.");
            }
        }

        lane.Close();
    });

    [Fact]
    public void A_quantum_is_4_to_1_to_a_quarter()
    {
        Assert.Equal(4 * new OutboundFlow(MuxCallPriority.Normal).Quantum, new OutboundFlow(MuxCallPriority.High).Quantum);
        Assert.Equal(new OutboundFlow(MuxCallPriority.Normal).Quantum, 4 * new OutboundFlow(MuxCallPriority.Low).Quantum);
    }

    [Fact]
    public void A_message_without_credit_is_passed_over_and_goes_on_when_there_is_some()
    {
        var large = new OutboundFlow(MuxCallPriority.High);
        var stream = new OutboundFlow(MuxCallPriority.Low);
        _sut.Add(large, LaneScene.Message(1, LaneScene.Body(50_000)));
        _sut.Add(stream, LaneScene.Block(2, 100));
        _sut.Add(stream, LaneScene.Message(2, LaneScene.Body(40_000), isCharged: false));

        var before = TakeAll();
        Assert.False(_sut.HasWork);
        _sut.AddCredit(1);
        Assert.True(_sut.HasWork);
        var after = TakeAll();

        Assert.All(before, frame => Assert.Equal(2, frame.Id.Slot));
        Assert.Equal(40_100, before.Sum(frame => frame.Header.Length));
        Assert.Equal(32 * 1024, Assert.Single(after).Header.Length); // what is left may become negative
        Assert.Equal(1 - 32 * 1024, _sut.Credit);
        _sut.AddCredit(32 * 1024 - 1);
        Assert.False(_sut.HasWork);
        _sut.AddCredit(1);
        Assert.Equal(50_000 - 32 * 1024, Assert.Single(TakeAll()).Header.Length);
        Assert.True(_sut.IsEmpty);
        Assert.Equal(_buffersBefore, BufferPool.Outstanding);
    }

    [Theory]
    [InlineData(1_000_000, 4)]
    [InlineData(100_000, 16)]
    public void A_message_is_announced_when_those_before_it_leave_the_peer_room_for_it(int length, int most)
    {
        _sut.AddCredit(int.MaxValue);
        _sut.SetLongestMessage(1 << 20);
        int announced = 0;
        for (int slot = 1; slot <= 2 * most; slot++)
        {
            var flow = new OutboundFlow(MuxCallPriority.Normal);
            bool isHeld = !_sut.MayAnnounce(length);
            if (isHeld) _sut.AddHeld(flow, LaneScene.Block(slot, 1), LaneScene.Message(slot, new byte[length]));
            else _sut.Add(flow, LaneScene.Message(slot, new byte[length]));
            if (!isHeld) announced++;
        }

        Assert.Equal(most, announced);
        var left = Enumerable.Range(1, 2 * most).ToDictionary(static slot => slot, _ => length);
        var open = new HashSet<int>();
        while (_sut.HasWork)
        {
            foreach (var frame in LaneScene.Frames(_sut.Take(Batch)))
            {
                open.Add(frame.Id.Slot);
                if (frame.Header.Kind != FrameKind.ResponseItem) left[frame.Id.Slot] -= frame.Header.Length;
                if (left[frame.Id.Slot] == 0) open.Remove(frame.Id.Slot);
                Assert.InRange(open.Count, 0, most);
            }
        }

        Assert.All(left.Values, static rest => Assert.Equal(0, rest));
        Assert.True(_sut.IsEmpty);
        Assert.Equal(_buffersBefore, BufferPool.Outstanding);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Dropped_messages_make_room_for_held_ones_and_held_ones_can_be_dropped(bool closes)
    {
        _sut.AddCredit(int.MaxValue);
        _sut.SetLongestMessage(1 << 20);
        var flows = Enumerable.Range(1, 8).Select(static _ => new OutboundFlow(MuxCallPriority.Normal)).ToArray();
        for (int i = 0; i < 4; i++) _sut.Add(flows[i], LaneScene.Message(i + 1, new byte[1_000_000]));
        for (int i = 4; i < 8; i++) _sut.AddHeld(flows[i], LaneScene.Block(i + 1, 1), LaneScene.Message(i + 1, new byte[1_000_000]));
        _sut.Drop(flows[5]);
        if (closes) _sut.Close();
        for (int i = 0; i < 4; i++) _sut.Drop(flows[i]);

        var sent = TakeAll().Select(static frame => frame.Id.Slot).Distinct().Order();
        Assert.Equal(closes ? [] : [5, 7, 8], sent);
        Assert.True(_sut.IsEmpty);
        Assert.Equal(_buffersBefore, BufferPool.Outstanding);
    }

    [Fact]
    public void What_waits_for_credit_saves_up_no_turns()
    {
        var high = new OutboundFlow(MuxCallPriority.High);
        var normal = new OutboundFlow(MuxCallPriority.Normal);
        _sut.Add(high, LaneScene.Message(1, new byte[1_000_000], maxFragment: 1_000));
        for (int i = 0; i < 100; i++)
        {
            _sut.AddCredit(1 - _sut.Credit);
            LaneScene.Frames(_sut.Take(Batch));
            _ = _sut.Take(Batch); // in vain: it gives up its turn
        }

        Assert.InRange(high.Deficit, int.MinValue, high.Quantum);
        _sut.Add(normal, LaneScene.Message(2, new byte[100_000], isCharged: false));
        _sut.Close();
    }

    [Theory]
    [InlineData(1)]
    [InlineData(20_000)]
    [InlineData(Batch)]
    public void A_batch_is_above_its_limit_by_less_than_a_frame(int batch)
    {
        _sut.AddCredit(int.MaxValue);
        for (int slot = 1; slot <= 8; slot++) _sut.Add(new OutboundFlow(MuxCallPriority.Normal), LaneScene.Message(slot, new byte[100_000]));

        long length = LaneScene.Frames(_sut.Take(batch)).Sum(frame => FrameHeader.Size + frame.Header.Length);

        Assert.InRange(length, batch, batch + Frame - 1);
        _sut.Close();
    }

    [Fact]
    public void A_short_rest_of_a_message_leaves_with_the_fragment_before_it()
    {
        _sut.AddCredit(int.MaxValue);
        _sut.Add(new OutboundFlow(MuxCallPriority.Normal), LaneScene.Message(1, new byte[Batch + 4]));
        _sut.Add(new OutboundFlow(MuxCallPriority.Normal), LaneScene.Message(2, new byte[4]));

        int[] first = [.. LaneScene.Frames(_sut.Take(Batch)).Where(static frame => frame.Id.Slot == 1).Select(static frame => frame.Header.Length)];

        Assert.Equal([Batch / 2, Batch / 2, 4], first);
        _sut.Close();
    }

    [Fact]
    public void Room_is_given_in_order_when_bytes_leave_or_are_dropped()
    {
        var order = new List<string>();
        var first = new OutboundFlow(MuxCallPriority.Normal);
        Assert.True(_sut.HasRoom);
        _sut.Add(first, LaneScene.Message(1, new byte[100_000], isCharged: false));
        Assert.False(_sut.HasRoom);
        Assert.Equal(100_000, _sut.Unsent);
        _sut.AwaitRoom(new Waiter("a", order));
        _sut.AwaitRoom(new Waiter("b", order));

        LaneScene.Frames(_sut.Take(1));
        Assert.Equal(["a"], order); // who has the room until it has gone on
        _sut.OnAdmitted();
        Assert.Equal(["a", "b"], order);
        _sut.OnAdmitted();

        _sut.Add(first, LaneScene.Message(1, new byte[100_000], isCharged: false));
        _sut.AwaitRoom(new Waiter("c", order));
        Assert.Equal(["a", "b"], order);
        _sut.Drop(first);
        Assert.Equal(["a", "b", "c"], order);
        Assert.Equal(0, _sut.Unsent);
        TakeAll();
        Assert.True(_sut.IsEmpty);
        Assert.Equal(_buffersBefore, BufferPool.Outstanding);
    }

    [Fact]
    public void Nobody_waits_for_room_that_is_there_and_no_more_are_told_of_it_than_it_is_for() => Seeds.ForEach(200, seed =>
    {
        var random = new Random(seed);
        int limit = random.Next(3) == 0 ? random.Next(1, BulkLane.Portion) : random.Next(BulkLane.Portion, 500_000);
        var lane = new BulkLane(limit);
        var told = new HashSet<Stream>();
        var streams = Enumerable.Range(1, random.Next(1, 30)).Select(slot => new Stream(lane, limit, slot, told)).ToArray();
        for (int i = 0; i < 500; i++)
        {
            if (random.Next(3) == 0) LaneScene.Frames(lane.Take(random.Next(1, Batch)));
            else streams[random.Next(streams.Length)].Step(random);
            AssertNobodyIsForgotten();
        }

        while (!lane.IsEmpty || told.Count > 0)
        {
            LaneScene.Frames(lane.Take(Batch));
            foreach (var stream in streams) stream.GoOn(); // and add nothing
            AssertNobodyIsForgotten();
        }

        Assert.DoesNotContain(streams, static stream => stream.IsWaiting);

        void AssertNobodyIsForgotten()
        {
            if (streams.Any(static stream => stream.IsWaiting) && told.Count == 0) Assert.False(lane.HasRoom, $"There is room for {limit - lane.Unsent} bytes, and a stream waits.");
        }
    });

    [Theory]
    [InlineData(true, true)]
    [InlineData(true, false)]
    [InlineData(false, true)]
    [InlineData(false, false)]
    public void What_is_dropped_or_closed_comes_back_also_what_is_on_its_way(bool closes, bool returnsFirst)
    {
        _sut.AddCredit(int.MaxValue);
        var flow = new OutboundFlow(MuxCallPriority.Normal);
        _sut.Add(flow, LaneScene.Block(1, 100));
        _sut.Add(flow, LaneScene.Message(1, new byte[100_000]));
        _sut.Add(flow, LaneScene.Block(1, 100));
        _sut.Add(flow, LaneScene.Message(1, new byte[20_000]));
        var batch = _sut.Take(Batch);

        if (returnsFirst) LaneScene.Frames(batch);
        if (closes) _sut.Close();
        else _sut.Drop(flow);
        if (!returnsFirst) LaneScene.Frames(batch);

        Assert.Equal(_buffersBefore, BufferPool.Outstanding);
        Assert.Equal(0, _sut.Unsent);
        Assert.Null(_sut.Take(Batch));
        Assert.True(_sut.IsEmpty);
    }

    [Fact]
    public void A_closed_lane_takes_nothing()
    {
        _sut.Close();
        var flow = new OutboundFlow(MuxCallPriority.Normal);

        _sut.Add(flow, LaneScene.Block(1, 100));
        _sut.Add(flow, LaneScene.Message(1, new byte[100_000]));

        Assert.True(_sut.IsEmpty);
        Assert.Equal((0, _buffersBefore), (_sut.Unsent, BufferPool.Outstanding));
    }

    private List<RawFrame> TakeAll()
    {
        var frames = new List<RawFrame>();
        while (_sut.Take(Batch) is { } batch) frames.AddRange(LaneScene.Frames(batch));
        return frames;
    }

    /// <summary>A stream with a producer that may do anything when it is told of room: add, wait again, fail, or nothing for a long time.</summary>
    private sealed class Stream(BulkLane lane, long limit, int slot, HashSet<Stream> told) : OutboundFlow(MuxCallPriority.Normal)
    {
        private bool _isOver;

        public bool IsWaiting { get; private set; }

        public bool IsTold => told.Contains(this);

        public override bool OnRoom()
        {
            if (!IsWaiting) return false;
            Assert.InRange(lane.Unsent + ((long)told.Count * BulkLane.Portion), 0, limit - 1);
            IsWaiting = false;
            return told.Add(this);
        }

        public void GoOn()
        {
            if (told.Remove(this)) lane.OnAdmitted();
        }

        public void Step(Random random)
        {
            if (random.Next(20) == 0) End();
            else if (IsTold) GoOn();
            else if (!_isOver && !IsWaiting) Produce(random);
        }

        private void Produce(Random random)
        {
            if (lane.HasRoom)
            {
                lane.Add(this, LaneScene.Block(slot, random.Next(1, BulkLane.Portion)));
                return;
            }

            IsWaiting = true;
            lane.AwaitRoom(this);
        }

        private void End()
        {
            (_isOver, IsWaiting) = (true, false);
            lane.Drop(this);
        }
    }

    private sealed class Waiter(string name, List<string> order) : OutboundFlow(MuxCallPriority.Normal)
    {
        public override bool OnRoom()
        {
            order.Add(name);
            return true;
        }
    }
}
