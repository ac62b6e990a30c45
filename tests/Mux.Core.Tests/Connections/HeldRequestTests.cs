using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Connections;

/// <summary>Large requests that wait until others have been sent whole, and the calls behind them.</summary>
public sealed class HeldRequestTests
{
    private const int Large = 4_000_000; // the first four may be announced at once, of 4 MiB each

    private static readonly MethodDescriptor s_upload = new("test", "Upload", MethodShape.Unary, takesToken: false);
    private static readonly MethodDescriptor s_small = new("test", "Small", MethodShape.Unary, takesToken: false);
    private static readonly MethodDescriptor s_stream = new("test", "Stream", MethodShape.RequestStream, takesToken: false);
    private static readonly MethodDescriptor s_ordered = new("test", "Ordered", MethodShape.Unary, takesToken: false)
    {
        Choices = new MethodChoices { Dispatch = MuxDispatchMode.Ordered },
    };

    private static readonly byte[] s_bytes = new byte[Large];

    [Fact]
    public void A_small_call_is_sent_before_large_ones_that_must_wait()
    {
        var peer = Open();
        for (int i = 0; i < 6; i++) Upload(peer);
        Assert.Equal(2, peer.Sut.Initiator.WaitingCount);

        peer.Call(s_small, [1]);

        Assert.Equal(2, peer.Sut.Initiator.WaitingCount);
        Assert.Equal(5, peer.Sut.Initiator.OpenCount);
    }

    [Fact]
    public void A_small_call_that_waited_for_a_slot_is_sent_before_large_ones_that_must_wait_for_more()
    {
        var peer = Open(maxCalls: 5);
        for (int i = 0; i < 4; i++) Upload(peer);
        var first = peer.Call(s_small, [1]);
        Upload(peer);
        var second = peer.Call(s_small, [2]);
        Assert.Equal((5, 2), (peer.Sut.Initiator.OpenCount, peer.Sut.Initiator.WaitingCount));

        peer.Respond(first.Id, [1]);

        Assert.True(first.IsDone);
        Assert.Equal((5, 1), (peer.Sut.Initiator.OpenCount, peer.Sut.Initiator.WaitingCount));
        peer.Respond(second.Id, [2]);
        Assert.Equal([2], second.Response);
    }

    [Fact]
    public void A_small_call_that_waited_for_a_slot_is_sent_however_many_large_ones_must_wait_before_it()
    {
        var peer = Open(maxCalls: 5);
        for (int i = 0; i < 4; i++) Upload(peer);
        var first = peer.Call(s_small, [1]);
        for (int i = 0; i < 1_000; i++) Upload(peer);
        var second = peer.Call(s_small, [2]);

        peer.Respond(first.Id, [1]);

        Assert.Equal(1_000, peer.Sut.Initiator.WaitingCount);
        peer.Respond(second.Id, [2]);
        Assert.Equal([2], second.Response);
    }

    [Fact]
    public void A_large_one_that_need_not_wait_any_longer_gets_the_next_slot_although_small_ones_never_cease()
    {
        var peer = ScriptedPeer.Open(
            accepting: false, new ConnectionOptions { WaitingLimit = long.MaxValue }, PeerSettings.Default with { MaxCalls = 2 });
        var refused = Upload(peer, 100_000);
        var small = peer.Call(s_small, [0]);
        peer.SendFrame(FrameKind.Fail, refused.Id, NoMemory(retryAfter: 100), FrameFlags.Meta);
        var large = Upload(peer, 100_000);
        Queue<ProbeCall> smalls = new([small]);
        for (int i = 0; i < 3; i++) smalls.Enqueue(peer.Call(s_small, [1]));
        for (int i = 0; i < 100; i++) AnswerOne();
        Assert.Equal(CallPlace.Waiting, large.Place);

        peer.Time.Advance(TimeSpan.FromMilliseconds(130));
        AnswerOne();

        Assert.Equal(CallPlace.Open, large.Place);

        void AnswerOne()
        {
            smalls.Enqueue(peer.Call(s_small, [1])); // there are always some that wait
            peer.Respond(smalls.Dequeue().Id, [1]);
        }
    }

    [Fact]
    public void Calls_that_need_no_windows_are_sent_before_streams_that_must_wait_for_them()
    {
        var options = new ConnectionOptions { WaitingLimit = long.MaxValue, Load = new GrowingLoad() };
        var peer = ScriptedPeer.Open(accepting: false, options, PeerSettings.Default with { StreamWindows = 1, MaxCalls = 2 });
        peer.CallStream(s_stream);
        var first = peer.Call(s_small, [1]);
        for (int i = 0; i < 1_000; i++) peer.CallStream(s_stream);
        var upload = Upload(peer, 100_000);
        var second = peer.Call(s_small, [2]);

        peer.Respond(first.Id, [1]);
        peer.Respond(upload.Id, [2]); // which came before the small one
        peer.Respond(second.Id, [3]);

        Assert.Equal([2], upload.Response);
        Assert.Equal([3], second.Response);
        Assert.Equal(1_000, peer.Sut.Initiator.WaitingCount);
    }

    [Fact]
    public void A_stream_that_is_bound_to_its_connection_does_not_wait_for_windows_of_another()
    {
        var options = new ConnectionOptions { WaitingLimit = long.MaxValue, Load = new GrowingLoad() };
        var peer = ScriptedPeer.Open(accepting: false, options, PeerSettings.Default with { StreamWindows = 1 });
        peer.CallStream(s_stream);

        Assert.True(peer.Sut.Initiator.TryStart(new ProbeStreamCall(s_stream) { Bound = new Bound() }, []));

        Assert.Equal((2, 0), (peer.Sut.Initiator.OpenCount, peer.Sut.Initiator.WaitingCount));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_call_of_the_connection_itself_is_told_of_room_while_others_wait_for_more_than_that(bool isLarge)
    {
        var bound = new Roomless();
        var peer = Open(maxCalls: 5);
        for (int i = 0; i < 4; i++) Upload(peer);
        var first = peer.Call(s_small, [1]);
        for (int i = 0; i < 3; i++) Upload(peer);
        Assert.True(Start(out _));
        Assert.Equal((1, 0), (bound.Refused, bound.Rooms));

        peer.Respond(first.Id, [1]);

        Assert.Equal((1, 3), (bound.Rooms, peer.Sut.Initiator.WaitingCount));
        Assert.True(Start(out var call));
        Assert.Equal((1, 5), (bound.Refused, peer.Sut.Initiator.OpenCount));
        peer.Respond(call.Id, [2]);
        Assert.Equal([2], call.Response);

        bool Start(out ProbeCall made)
        {
            made = new ProbeCall(s_small) { Bound = bound, Bulk = isLarge ? BulkMessage.Copy(s_bytes) : null };
            return peer.Sut.Initiator.TryStart(made, []);
        }
    }

    [Theory]
    [InlineData(7ul, 2)]
    [InlineData(0ul, 1)] // without a key it keeps no order
    public void A_small_call_that_keeps_an_order_waits_behind_large_ones_that_do_and_must_wait(ulong key, int waiting)
    {
        var peer = Open();
        for (int i = 0; i < 4; i++) Upload(peer);
        Upload(peer, Large, s_ordered, key: 7);

        Assert.True(peer.Sut.Initiator.TryStart(new ProbeCall(s_ordered) { Key = key }, [1]));

        Assert.Equal(waiting, peer.Sut.Initiator.WaitingCount);
    }

    [Fact]
    public void A_small_call_that_keeps_an_order_does_not_leave_before_large_ones_that_do_when_a_slot_becomes_free()
    {
        var peer = Open(maxCalls: 5);
        for (int i = 0; i < 4; i++) Upload(peer);
        var first = peer.Call(s_small, [1]);
        Upload(peer, Large, s_ordered, key: 7);
        Assert.True(peer.Sut.Initiator.TryStart(new ProbeCall(s_ordered) { Key = 7 }, [2]));
        var other = peer.Call(s_small, [3]);
        Assert.Equal(3, peer.Sut.Initiator.WaitingCount);

        peer.Respond(first.Id, [1]);

        Assert.Equal(2, peer.Sut.Initiator.WaitingCount);
        peer.Respond(other.Id, [3]); // which keeps no order, and has overtaken both
        Assert.Equal([3], other.Response);
        Assert.Equal(2, peer.Sut.Initiator.WaitingCount);
    }

    [Fact]
    public void A_small_call_that_keeps_an_order_is_sent_before_large_ones_that_keep_none()
    {
        var peer = Open();
        for (int i = 0; i < 6; i++) Upload(peer);

        Assert.True(peer.Sut.Initiator.TryStart(new ProbeCall(s_ordered) { Key = 7 }, [1]));

        Assert.Equal((5, 2), (peer.Sut.Initiator.OpenCount, peer.Sut.Initiator.WaitingCount));
    }

    [Fact]
    public void Large_ones_do_not_overtake_each_other()
    {
        var peer = Open();
        for (int i = 0; i < 3; i++) Upload(peer);
        Upload(peer, 1_000_000);
        Upload(peer);
        Upload(peer, 300_000); // would fit

        Assert.Equal(2, peer.Sut.Initiator.WaitingCount);
    }

    [Fact]
    public void Large_ones_wait_for_as_long_as_a_peer_without_memory_asks_for_and_small_ones_do_not()
    {
        var peer = ScriptedPeer.Open(accepting: false, new ConnectionOptions { WaitingLimit = long.MaxValue });
        var refused = Upload(peer, 100_000);
        peer.SendFrame(FrameKind.Fail, refused.Id, NoMemory(retryAfter: 100), FrameFlags.Meta);
        Assert.True(refused.IsDone);
        Assert.True(refused.Failure!.IsPause);

        Upload(peer, 100_000);
        peer.Call(s_small, [1]);
        Assert.Equal((1, 1), (peer.Sut.Initiator.OpenCount, peer.Sut.Initiator.WaitingCount));

        peer.Time.Advance(TimeSpan.FromMilliseconds(90));
        Assert.Equal(1, peer.Sut.Initiator.WaitingCount);
        peer.Time.Advance(TimeSpan.FromMilliseconds(40));
        Assert.Equal((2, 0), (peer.Sut.Initiator.OpenCount, peer.Sut.Initiator.WaitingCount));
    }

    [Fact]
    public void A_stream_with_a_large_request_that_waits_for_memory_of_the_peer_holds_back_no_stream_with_a_small_one()
    {
        var peer = ScriptedPeer.Open(
            accepting: false, new ConnectionOptions { WaitingLimit = long.MaxValue }, PeerSettings.Default with { MaxCalls = 2 });
        var refused = Upload(peer, 100_000);
        var first = peer.Call(s_small, [1]);
        peer.SendFrame(FrameKind.Fail, refused.Id, NoMemory(retryAfter: 100), FrameFlags.Meta);
        var second = peer.Call(s_small, [2]);
        var large = new ProbeStreamCall(s_stream) { Bulk = BulkMessage.Copy(s_bytes.AsSpan(0, 100_000)) };
        Assert.True(peer.Sut.Initiator.TryStart(large, []));
        var small = peer.CallStream(s_stream);
        Assert.Equal((2, 2), (peer.Sut.Initiator.OpenCount, peer.Sut.Initiator.WaitingCount));

        peer.Respond(first.Id, [1]);

        Assert.Equal((CallPlace.Open, CallPlace.Waiting), (small.Place, large.Place));
        peer.Respond(second.Id, [2]);
        Assert.Equal(CallPlace.Waiting, large.Place);
        peer.Time.Advance(TimeSpan.FromMilliseconds(130));
        Assert.Equal(CallPlace.Open, large.Place);
    }

    [Fact]
    public void Large_ones_wait_for_a_second_at_most_whatever_a_peer_without_memory_asks_for()
    {
        var peer = ScriptedPeer.Open(accepting: false, new ConnectionOptions { WaitingLimit = long.MaxValue });
        peer.SendFrame(FrameKind.Fail, Upload(peer, 100_000).Id, NoMemory(retryAfter: uint.MaxValue), FrameFlags.Meta);
        Upload(peer, 100_000);
        Assert.Equal(1, peer.Sut.Initiator.WaitingCount);

        peer.Time.Advance(TimeSpan.FromSeconds(1.1));

        Assert.Equal(0, peer.Sut.Initiator.WaitingCount);
    }

    [Fact]
    public void Large_ones_do_not_wait_for_what_a_peer_has_no_memory_for_if_that_is_small()
    {
        var peer = ScriptedPeer.Open(accepting: false, new ConnectionOptions { WaitingLimit = long.MaxValue });
        var small = peer.Call(s_small, [1]);
        peer.SendFrame(FrameKind.Fail, small.Id, NoMemory(retryAfter: 100), FrameFlags.Meta);
        Assert.True(small.Failure!.IsPause);

        Upload(peer, 100_000);

        Assert.Equal((1, 0), (peer.Sut.Initiator.OpenCount, peer.Sut.Initiator.WaitingCount));
    }

    [Fact]
    public void Refusals_of_large_ones_that_were_on_their_way_do_not_make_a_pause_longer()
    {
        var peer = ScriptedPeer.Open(accepting: false, new ConnectionOptions { WaitingLimit = long.MaxValue });
        var (first, second) = (Upload(peer, 100_000), Upload(peer, 100_000));
        peer.SendFrame(FrameKind.Fail, first.Id, NoMemory(retryAfter: 100), FrameFlags.Meta);
        Upload(peer, 100_000);
        peer.Time.Advance(TimeSpan.FromMilliseconds(90));
        peer.SendFrame(FrameKind.Fail, second.Id, NoMemory(retryAfter: 1_000), FrameFlags.Meta);
        Assert.Equal(1, peer.Sut.Initiator.WaitingCount);

        peer.Time.Advance(TimeSpan.FromMilliseconds(40)); // 130 after the first refusal

        Assert.Equal(0, peer.Sut.Initiator.WaitingCount);
    }

    [Fact]
    public void A_large_one_whose_deadline_passes_behind_refused_ones_says_how_many_and_why_and_small_ones_do_not()
    {
        var peer = ScriptedPeer.Open(
            accepting: false, new ConnectionOptions { WaitingLimit = long.MaxValue }, PeerSettings.Default with { MaxCalls = 2 });
        var (first, second) = (Upload(peer, 100_000), Upload(peer, 100_000));
        peer.SendFrame(FrameKind.Fail, first.Id, NoMemory(retryAfter: 1_000), FrameFlags.Meta);
        peer.Time.Advance(TimeSpan.FromMilliseconds(50));
        peer.SendFrame(FrameKind.Fail, second.Id, NoMemory(retryAfter: 1_000), FrameFlags.Meta);
        for (int i = 0; i < 2; i++) peer.Call(s_small, [0]); // all slots
        long due = peer.Sut.Clock.Now + 200_000;
        var large = new ProbeCall(s_upload) { Bulk = BulkMessage.Copy(s_bytes.AsSpan(0, 100_000)), Due = due };
        var small = new ProbeCall(s_small) { Due = due };
        Assert.True(peer.Sut.Initiator.TryStart(large, []));
        Assert.True(peer.Sut.Initiator.TryStart(small, [1]));

        peer.Time.Advance(TimeSpan.FromMilliseconds(230));

        const string Text = "The deadline passed before the request could be sent.";
        Assert.Equal((MuxStatus.DeadlineExceeded, MuxExecution.NotExecuted), (large.Failure!.Status, large.Failure.Execution));
        Assert.Matches($"^{Text} The request is large, and the server has just refused such requests: 2 within 5[0-9] ms, the last one with: No memory. " +
            $"{CallFailure.AdviceForLarge}$", large.Failure.Text);
        Assert.Equal(Text, small.Failure!.Text);
    }

    [Fact]
    public void A_large_one_that_finds_no_place_behind_a_refused_one_or_loses_its_connection_there_says_why_it_waits()
    {
        var peer = ScriptedPeer.Open(accepting: false, new ConnectionOptions { WaitingLimit = 150_000 });
        peer.SendFrame(FrameKind.Fail, Upload(peer, 100_000).Id, NoMemory(retryAfter: 1_000), FrameFlags.Meta);
        var (waiting, unplaced) = (Upload(peer, 100_000), Upload(peer, 100_000));
        peer.End();

        foreach (var call in new[] { waiting, unplaced })
        {
            Assert.Equal(MuxExecution.NotExecuted, call.Failure!.Execution);
            Assert.Contains(" refused such requests: one, with: No memory. ", call.Failure.Text, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void A_large_one_that_waits_long_after_others_were_refused_does_not_speak_of_them()
    {
        var peer = ScriptedPeer.Open(
            accepting: false, new ConnectionOptions { WaitingLimit = long.MaxValue }, PeerSettings.Default with { MaxCalls = 1 });
        peer.SendFrame(FrameKind.Fail, Upload(peer, 100_000).Id, NoMemory(retryAfter: 100), FrameFlags.Meta);
        peer.Call(s_small, [0]); // the slot
        peer.Time.Advance(TimeSpan.FromSeconds(3));
        var large = new ProbeCall(s_upload) { Bulk = BulkMessage.Copy(s_bytes.AsSpan(0, 100_000)), Due = peer.Sut.Clock.Now + 200_000 };
        Assert.True(peer.Sut.Initiator.TryStart(large, []));

        peer.Time.Advance(TimeSpan.FromMilliseconds(230));

        Assert.DoesNotContain("refused", large.Failure!.Text, StringComparison.Ordinal);
    }

    private static byte[] NoMemory(uint retryAfter)
    {
        byte[] frame = new byte[FrameWriter.MaxFullFailFrame];
        var fail = new FailFrame((byte)MuxStatus.ResourceExhausted, MuxExecution.NotExecuted, retryAfter, "No memory.") { IsPause = true };
        int length = FrameWriter.Fail(frame, default, fail, new FailExtras { Metadata = fail.Mark, MaxMetadata = 8192 }, out _);
        return frame[FrameHeader.Size..length];
    }

    /// <summary>Gets a peer that reads nothing, so that what is announced stays unsent.</summary>
    private static ScriptedPeer Open(int maxCalls = 100)
    {
        var options = new ConnectionOptions { UnsentLimit = int.MaxValue, WaitingLimit = long.MaxValue };
        var peer = ScriptedPeer.Open(accepting: false, options, PeerSettings.Default with { MaxCalls = maxCalls });
        peer.StopReading();
        return peer;
    }

    private static ProbeCall Upload(ScriptedPeer peer, int length = Large, MethodDescriptor? method = null, ulong key = 0)
    {
        var call = new ProbeCall(method ?? s_upload) { Bulk = BulkMessage.Copy(s_bytes.AsSpan(0, length)), Key = key };
        Assert.True(peer.Sut.Initiator.TryStart(call, []), "The connection takes no calls.");
        return call;
    }

    /// <summary>The pool of a connection which may get a further one.</summary>
    private sealed class GrowingLoad : LoadWatch
    {
        protected override void Wake()
        {
        }

        protected override void LookSoon()
        {
        }
    }

    /// <summary>The owner of calls that have room on their connection.</summary>
    private sealed class Roomless : IBoundCalls, IRoomWatch
    {
        public int Refused { get; private set; }

        public int Rooms { get; private set; }

        public IRoomWatch Room => this;

        public void OnNoRoom(OutgoingCall call, ReadOnlySpan<byte> body)
        {
            Refused++;
            CallQueue.ReleaseBody(call);
        }

        public void OnUnsent(OutgoingCall call, CallFailure? failure) => Assert.Fail("It is sent.");

        public void OnRoom() => Rooms++;
    }

    private sealed class Bound : IBoundCalls, IRoomWatch
    {
        public IRoomWatch Room => this;

        public void OnNoRoom(OutgoingCall call, ReadOnlySpan<byte> body) => Assert.Fail("There is room.");

        public void OnUnsent(OutgoingCall call, CallFailure? failure) => Assert.Fail("It is sent.");

        public void OnRoom() => Assert.Fail("None was lacking.");
    }
}
