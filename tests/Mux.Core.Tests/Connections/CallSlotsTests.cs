using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Connections;

public sealed class CallSlotsTests : IDisposable
{
    private static readonly MethodDescriptor s_echo = new("test", "Echo", MethodShape.Unary, takesToken: false);
    private readonly Lock _gate = new();
    private readonly CallSlots _sut;

    public CallSlotsTests()
    {
        _sut = new CallSlots(_gate);
        _gate.Enter();
        _sut.SetLimitLocked(4);
    }

    public void Dispose() => _gate.Exit();

    [Fact]
    public void Slots_are_given_out_up_to_the_limit()
    {
        var calls = Enumerable.Range(0, 4).Select(_ => Open()).ToList();

        Assert.Equal([1, 2, 3, 4], calls.Select(call => call.Id.Slot));
        Assert.False(_sut.HasFreeLocked);
        var extra = new ProbeCall(s_echo);
        Assert.False(_sut.TryOpenLocked(extra, extra, 0));
        Assert.Equal(4, _sut.Count);
    }

    [Fact]
    public void Without_a_limit_of_the_peer_no_slot_is_given_out()
    {
        var sut = new CallSlots(_gate);
        var call = new ProbeCall(s_echo);

        Assert.False(sut.TryOpenLocked(call, call, 0));
    }

    [Fact]
    public void The_slot_freed_last_is_used_first()
    {
        var calls = Enumerable.Range(0, 4).Select(_ => Open()).ToList();
        Complete(calls[1]);
        Complete(calls[2]);
        _sut.ReclaimLocked();

        Assert.Equal([3, 2], new[] { Open().Id.Slot, Open().Id.Slot });
    }

    [Fact]
    public void A_slot_freed_by_the_turn_is_free_for_others_when_it_is_handed_back()
    {
        var calls = Enumerable.Range(0, 4).Select(_ => Open()).ToList();
        Complete(calls[0]);
        Assert.Equal(3, _sut.Count);
        Assert.False(_sut.HasFreeLocked);

        _sut.ReclaimLocked();

        Assert.True(_sut.HasFreeLocked);
    }

    [Fact]
    public void A_terminal_frame_finds_its_call_once()
    {
        var call = Open();

        Assert.Equal(CallSlots.Terminal.Completed, _sut.Complete(call.Id, out var found));
        Assert.Same(call, found);
        Assert.Equal(CallSlots.Terminal.Unknown, _sut.Complete(call.Id, out _));
    }

    [Fact]
    public void A_terminal_frame_of_another_generation_or_an_unused_slot_is_unknown()
    {
        var call = Open();

        Assert.Equal(CallSlots.Terminal.Unknown, _sut.Complete(new CallId(1, call.Id.Generation + 1), out _));
        Assert.Equal(CallSlots.Terminal.Unknown, _sut.Complete(new CallId(2, 0), out _));
        Assert.Equal(CallSlots.Terminal.Unknown, _sut.Complete(new CallId(CallId.MaxSlot, 1), out _));
        Assert.Equal(CallSlots.Terminal.Completed, _sut.Complete(call.Id, out _));
    }

    [Fact]
    public void An_abandoned_call_keeps_its_slot_until_its_late_reply()
    {
        var call = Open();
        Assert.True(_sut.TryAbandonLocked(1, call.OpenWord));
        Assert.Null(_sut.PeekLocked(1, out _));
        Assert.Equal(1, _sut.Count);

        Assert.Equal(CallSlots.Terminal.Late, _sut.Complete(call.Id, out var found));

        Assert.Null(found);
        Assert.Equal(0, _sut.Count);
    }

    [Fact]
    public void A_stale_word_abandons_nothing()
    {
        var first = Open();
        Complete(first);
        _sut.ReclaimLocked();
        var second = Open();
        Assert.Equal(1, second.Id.Slot);

        Assert.False(_sut.TryAbandonLocked(1, first.OpenWord));

        Assert.Same(second, _sut.PeekLocked(1, out _));
    }

    [Fact]
    public void On_loss_calls_come_in_slot_order_split_by_what_was_sent()
    {
        var calls = Enumerable.Range(0, 4).Select(i => Open(position: i * 10)).ToList();
        Complete(calls[1]);

        Close(20, out var unsent, out var sent);

        Assert.Equal([calls[0]], List(sent));
        Assert.Equal([calls[2], calls[3]], List(unsent));
        Close(20, out unsent, out sent);
        Assert.Equal((null, null), (unsent, sent));
    }

    [Fact]
    public void On_loss_one_way_calls_tell_nobody()
    {
        var call = new ProbeCall(s_echo);
        Assert.True(_sut.TryOpenLocked(call, OneWayReply.Instance, 0));

        Close(100, out var unsent, out var sent);

        Assert.Equal((null, null), (unsent, sent));
    }

    [Fact]
    public void On_loss_receipts_of_one_way_calls_are_told_what_may_have_run()
    {
        var receipt = new Receipt();
        for (int i = 0; i < 3; i++) Assert.True(_sut.TryOpenLocked(new ProbeCall(s_echo), receipt, i * 10));

        Close(20, out var unsent, out var sent).Deliver();

        Assert.Equal((null, null), (unsent, sent));
        Assert.Equal([MuxExecution.NotExecuted, MuxExecution.MayHaveExecuted, MuxExecution.MayHaveExecuted], receipt.Told.Order());
    }

    private CallOutcomes Close(long sentUpTo, out OutgoingCall? unsent, out OutgoingCall? sent)
    {
        var outcomes = default(CallOutcomes);
        var lost = new CallFailure(MuxStatus.Unavailable, MuxExecution.MayHaveExecuted, MuxCallPhase.Wait, "lost");
        _sut.CloseLocked(sentUpTo, out unsent, out sent, (lost with { Execution = MuxExecution.NotExecuted }, lost), ref outcomes);
        return outcomes;
    }

    private sealed class Receipt : OneWayReply
    {
        public List<MuxExecution> Told { get; } = [];

        public override bool IsTold => true;

        public override void OnFailed(CallFailure failure, bool inTurn) => Told.Add(failure.Execution);
    }

    private ProbeCall Open(long position = 0)
    {
        var call = new ProbeCall(s_echo);
        Assert.True(_sut.TryOpenLocked(call, call, position));
        return call;
    }

    private void Complete(ProbeCall call) => Assert.Equal(CallSlots.Terminal.Completed, _sut.Complete(call.Id, out _));

    private static List<OutgoingCall> List(OutgoingCall? first)
    {
        var calls = new List<OutgoingCall>();
        for (var call = first; call is not null; call = call.Next) calls.Add(call);
        return calls;
    }
}
