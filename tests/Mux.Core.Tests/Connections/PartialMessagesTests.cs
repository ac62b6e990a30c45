using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Connections;

[Collection(nameof(ProcessWideCounters))]
public sealed class PartialMessagesTests
{
    private const FrameKind Kind = FrameKind.Request;
    private static readonly CallId s_id = new(3, 1), s_next = new(3, 2);

    private readonly long _buffersBefore = BufferPool.Outstanding;
    private readonly ReassemblyBudget _budget = new(100_000);
    private readonly PartialMessages _sut;

    public PartialMessagesTests() => _sut = new PartialMessages(_budget);

    [Fact]
    public void Fragments_of_any_size_make_the_message()
    {
        byte[] body = [.. Enumerable.Range(0, 5_000).Select(i => (byte)i)];
        var message = _sut.TryBegin(Kind, s_id, body.Length)!;
        Assert.Equal((false, 8_192L), (_sut.IsEmpty, _budget.Used)); // the pool's arrays are powers of two
        int at = 0;
        foreach (int length in new[] { 1, 4_000, 998, 1 })
        {
            bool isLast = at + length == body.Length;
            Assert.Equal(isLast, Add(message, body.AsSpan(at, length), isLast ? FrameFlags.None : FrameFlags.More));
            at += length;
        }

        Assert.Equal(body, message.Body);
        Assert.Equal((true, 0L), (_sut.IsEmpty, _budget.Used));
        message.Return();
        Assert.Equal(_buffersBefore, BufferPool.Outstanding);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void What_breaks_a_rule_is_named_also_of_a_message_that_nobody_wants(bool isUnwanted)
    {
        Breaks(isUnwanted, 0, FrameFlags.More, "with 0 bytes");
        Breaks(isUnwanted, 0, FrameFlags.None, "with 0 bytes");
        Breaks(isUnwanted, 101, FrameFlags.More, "more than the 100 bytes");
        Breaks(isUnwanted, 101, FrameFlags.None, "more than the 100 bytes");
        Breaks(isUnwanted, 99, FrameFlags.None, "ends with 1 of the 100");
        Breaks(isUnwanted, 100, FrameFlags.More, "continues with 0 of the 100");
        Breaks(isUnwanted, 50, FrameFlags.More | FrameFlags.Meta, "only MORE is allowed");
        Breaks(isUnwanted, 100, FrameFlags.Meta, "only MORE is allowed");
        Assert.Equal(_buffersBefore, BufferPool.Outstanding);
    }

    [Theory]
    [InlineData(100, 16)]
    [InlineData(1_024, 17)]
    [InlineData(50_000, 64)]
    public void A_message_in_too_many_fragments_is_a_load(int length, int allowed)
    {
        var message = _sut.TryBegin(Kind, s_id, length)!;
        for (int i = 0; i < allowed; i++) Assert.False(Add(message, [1], FrameFlags.More));

        Assert.False(_sut.Add(new FrameHeader(Kind, FrameFlags.More, s_id, 1), [1], message, out var violation));

        Assert.Equal(ConnectionCode.ExcessiveLoad, violation?.Code);
        _sut.Clear();
    }

    [Fact]
    public void A_message_above_the_room_that_is_left_is_not_begun()
    {
        Assert.NotNull(_sut.TryBegin(Kind, s_id, 32_769)); // takes 65,536
        Assert.NotNull(_sut.TryBegin(Kind, new CallId(5, 1), 32_768));
        Assert.Null(_sut.TryBegin(Kind, new CallId(4, 1), 1_025)); // 2,048, and 1,696 are left
        Assert.Null(_sut.Find(Kind, new CallId(4, 1)));
        Assert.NotNull(_sut.TryBegin(Kind, new CallId(4, 1), 1_024));
        _sut.Clear();
        Assert.Equal((true, 0L, _buffersBefore), (_sut.IsEmpty, _budget.Used, BufferPool.Outstanding));
    }

    [Fact]
    public void An_unwanted_message_takes_no_room_and_its_end_is_found()
    {
        _sut.BeginUnwanted(Kind, s_id, int.MaxValue);
        var message = _sut.Find(Kind, s_id)!;
        Assert.True(message.IsUnwanted);
        Assert.Empty(_sut.Begun);

        Assert.False(Add(message, new byte[65_536], FrameFlags.More));
        Assert.Equal((int.MaxValue - 65_536, 0L, _buffersBefore), (message.Left, _budget.Used, BufferPool.Outstanding));
        _sut.Drop(Kind, s_id);
        Assert.True(_sut.IsEmpty);
    }

    [Fact]
    public void What_nobody_wants_any_more_gives_its_memory_back_and_still_ends()
    {
        var message = _sut.TryBegin(Kind, s_id, 100)!;
        Add(message, new byte[60], FrameFlags.More);

        _sut.Forget(Kind, s_id);
        _sut.Forget(Kind, s_id);

        Assert.Equal((0L, _buffersBefore), (_budget.Used, BufferPool.Outstanding));
        Assert.True(Add(message, new byte[40], FrameFlags.None));
        message.Return();
        Assert.Equal((true, 0L, _buffersBefore), (_sut.IsEmpty, _budget.Used, BufferPool.Outstanding));
    }

    [Fact]
    public void Messages_are_told_apart_by_kind_slot_and_generation()
    {
        var request = _sut.TryBegin(Kind, s_id, 100);
        var item = _sut.TryBegin(FrameKind.RequestItem, s_id, 100);
        var other = _sut.TryBegin(Kind, new CallId(4, 1), 100);

        Assert.Same(request, _sut.Find(Kind, s_id));
        Assert.Same(item, _sut.Find(FrameKind.RequestItem, s_id));
        Assert.Same(other, _sut.Find(Kind, new CallId(4, 1)));
        Assert.Null(_sut.Find(Kind, s_next));
        _sut.Drop(Kind, s_next); // nothing
        Assert.Equal(3, _sut.Begun.Count());
        _sut.Clear();
    }

    [Fact]
    public void What_is_left_of_a_slots_last_call_makes_way()
    {
        _sut.TryBegin(Kind, s_id, 100);
        _sut.TryBegin(FrameKind.RequestItem, s_id, 100);
        _sut.TryBegin(Kind, new CallId(4, 1), 300);

        _sut.DropSlot(s_id.Slot);
        _sut.DropSlot(5); // nothing
        var next = _sut.TryBegin(Kind, s_next, 200);

        Assert.Same(next, _sut.Find(Kind, s_next));
        Assert.Null(_sut.Find(Kind, s_id));
        Assert.Null(_sut.Find(FrameKind.RequestItem, s_id));
        Assert.Equal(512 + 256, _budget.Used);
        _sut.Clear();
        Assert.Equal(_buffersBefore, BufferPool.Outstanding);
    }

    [Fact]
    public void A_message_alone_is_taken_if_the_limit_is_above_its_length_and_below_its_array()
    {
        Assert.Null(_sut.TryBegin(Kind, s_id, 100_001));
        Assert.NotNull(_sut.TryBegin(Kind, s_id, 100_000));
        Assert.Equal(131_072, _budget.Used);
        Assert.Null(_sut.TryBegin(Kind, new CallId(4, 1), 1));
        _sut.Clear();
        Assert.Equal(0, _budget.Used);
    }

    [Fact]
    public void A_length_that_is_announced_holds_no_memory()
    {
        var message = _sut.TryBegin(Kind, s_id, 100_000)!;

        Assert.Equal((131_072L, _buffersBefore, 0), (_budget.Used, BufferPool.Outstanding, message.Capacity));
        _sut.Clear();
    }

    [Theory]
    [InlineData(32_768, 2_097_152, 1)] // as this implementation sends: at once all of it
    [InlineData(32_768, 4_194_304, 2)]
    [InlineData(16_384, 2_097_152, 2)]
    [InlineData(1_024, 8_388_608, 3)]
    public void The_array_grows_with_what_came_and_most_messages_are_not_copied(int fragment, int length, int arrays)
    {
        byte[] body = [.. Enumerable.Range(0, length).Select(i => (byte)(i * 7 >> 3))];
        var partial = new PartialMessages(new ReassemblyBudget(length));
        var message = partial.TryBegin(Kind, s_id, length)!;
        var seen = new List<int>();
        for (int at = 0; at < length; at += fragment)
        {
            bool isLast = at + fragment == length;
            Assert.Equal(isLast, partial.Add(new FrameHeader(Kind, isLast ? FrameFlags.None : FrameFlags.More, s_id, fragment), body.AsSpan(at, fragment), message, out _));
            Assert.InRange(message.Capacity, at + fragment, Math.Max(65_536, 64 * (at + fragment)));
            if (seen.Count == 0 || seen[^1] != message.Capacity) seen.Add(message.Capacity);
        }

        Assert.Equal((arrays, length), (seen.Count, seen[^1]));
        Assert.True(body.AsSpan().SequenceEqual(message.Body));
        message.Return();
        Assert.Equal(_buffersBefore, BufferPool.Outstanding);
    }

    [Fact]
    public void The_arrays_of_messages_are_charged_and_stay_within_the_memory_whatever_arrives() => Seeds.ForEach(20, seed =>
    {
        var random = new Random(seed);
        long limit = random.Next(1 << 20, 16 << 20);
        var memory = new MemoryBudget(limit, BudgetLimits.Unbounded);
        var all = new List<(PartialMessages Messages, List<PartialMessage> Begun)>();
        for (int i = 0; i < 4; i++) all.Add((new PartialMessages(new ReassemblyBudget(64 << 20) { Memory = memory.Join(string.Empty) }), []));
        long sent = 0;
        for (int step = 0; step < 3_000; step++)
        {
            var (messages, begun) = all[random.Next(4)];
            if (random.Next(3) == 0 && messages.TryBegin(Kind, new CallId(step + 1, 1), random.Next(1, 1 << random.Next(1, 23))) is { } next) begun.Add(next);
            if (begun.Count == 0) continue;
            var message = begun[random.Next(begun.Count)];
            int length = Math.Min(message.Left, random.Next(1, 1 << random.Next(1, 17)));
            bool isLast = length == message.Left;
            bool isWhole = messages.Add(
                new FrameHeader(Kind, isLast ? FrameFlags.None : FrameFlags.More, message.Id, length), new byte[length], message, out var violation);
            Assert.True(violation is null or { Code: ConnectionCode.ExcessiveLoad });
            sent += length;
            Assert.True(!isWhole || isLast);
            if (violation is not null) messages.Drop(Kind, message.Id);
            if (isWhole) message.Return();
            if (isWhole || message.IsStarved || violation is not null) begun.Remove(message);
            long held = all.Sum(one => one.Begun.Sum(other => (long)other.Capacity + PartialMessage.EntryCharge));
            Assert.Equal(held, memory.Used);
            Assert.InRange(held, 0, limit);
            Assert.InRange(held, 0, (limit / 2) + (2 * sent) + all.Sum(one => one.Begun.Count * (1_024L + PartialMessage.EntryCharge)));
        }

        foreach (var (messages, _) in all) messages.Clear();
        Assert.Equal((0L, _buffersBefore), (memory.Used, BufferPool.Outstanding));
    });

    [Fact]
    public void Items_of_calls_that_are_over_are_dropped_and_requests_are_not_even_looked_at()
    {
        for (int slot = 1; slot <= 10; slot++)
        {
            _sut.TryBegin(FrameKind.RequestItem, new CallId(slot, 1), 128);
            _sut.TryBegin(Kind, new CallId(slot, 1), 16);
        }

        int looks = 0;
        _sut.DropStale(id => ++looks > 0 && id.Slot % 2 == 0);

        Assert.Equal((5 * 128 + 10 * 16, 10), (_budget.Used, looks));
        Assert.Null(_sut.Find(FrameKind.RequestItem, new CallId(2, 1)));
        Assert.NotNull(_sut.Find(FrameKind.RequestItem, new CallId(1, 1)));
        _sut.Clear();
        _sut.DropStale(_ => throw new InvalidOperationException("Nothing is left."));
        Assert.Equal((0L, _buffersBefore), (_budget.Used, BufferPool.Outstanding));
    }

    [Fact]
    public void A_refusal_looks_at_few_messages_however_many_there_are_and_some_refusals_at_all()
    {
        for (int slot = 1; slot <= 1_000; slot++) _sut.TryBegin(FrameKind.RequestItem, new CallId(slot, 1), 16);
        int looks = 0;
        for (int refusals = 1; refusals <= 100; refusals++)
        {
            looks = 0;
            _sut.DropStale(_ => ++looks < 0);
            Assert.Equal(64, looks);
        }

        for (int refusals = 1; refusals <= 32; refusals++) _sut.DropStale(id => id.Slot % 3 > 0); // what is left of this round of 16, and another

        Assert.Equal(333 * 16, _budget.Used);
        _sut.Clear();
    }

    [Fact]
    public void A_reply_whose_call_is_over_is_forgotten_and_its_end_is_still_found()
    {
        var reply = _sut.TryBegin(FrameKind.Response, s_id, 100)!;
        _sut.TryBegin(FrameKind.ResponseItem, s_id, 100);

        _sut.DropStale(_ => true);

        Assert.Equal((true, 0L), (reply.IsUnwanted, _budget.Used));
        Assert.Same(reply, _sut.Find(FrameKind.Response, s_id));
        Assert.Null(_sut.Find(FrameKind.ResponseItem, s_id));
        _sut.DropStale(_ => throw new InvalidOperationException("Nothing that holds room is left."));
        _sut.Clear();
        Assert.Equal(0, _budget.Used);
    }

    private bool Add(PartialMessage message, ReadOnlySpan<byte> fragment, FrameFlags flags)
    {
        bool isWhole = _sut.Add(new FrameHeader(Kind, flags, message.Id, fragment.Length), fragment, message, out var violation);
        Assert.Null(violation);
        return isWhole;
    }

    private void Breaks(bool isUnwanted, int length, FrameFlags flags, string says)
    {
        if (isUnwanted) _sut.BeginUnwanted(Kind, s_id, 100);
        else _sut.TryBegin(Kind, s_id, 100);
        bool isWhole = _sut.Add(new FrameHeader(Kind, flags, s_id, length), new byte[length], _sut.Find(Kind, s_id)!, out var violation);
        Assert.False(isWhole);
        Assert.Equal(ConnectionCode.ProtocolError, violation?.Code);
        Assert.Contains(says, violation!.Text, StringComparison.Ordinal);
        _sut.Clear();
    }
}
