using Mux.Engine;
using Mux.Protocol;
using Mux.TestSupport.Connections;
using Mux.TestSupport.Transports;

namespace Mux.Core.Tests.Connections;

public sealed class AcceptorTests
{
    private static readonly CallId s_first = new(1, 1);

    [Fact]
    public void Requests_of_one_batch_are_answered_in_one_send()
    {
        var peer = ScriptedPeer.Open(accepting: true);
        peer.Methods.Add("test/Echo").Handler = body => body;
        peer.Define(0, "test/Echo");
        var batch = new List<byte>();
        for (int slot = 1; slot <= 100; slot++) batch.AddRange(ScriptedPeer.Frame(FrameKind.Request, new CallId(slot, 1), [0, 0, 0, 0, (byte)slot]));

        int sends = peer.Link.Sends;
        peer.Send([.. batch]);

        Assert.Equal(sends + 1, peer.Link.Sends);
        Assert.Equal(Enumerable.Range(1, 100), peer.ReadAll().Select(frame => frame.Id.Slot));
    }

    [Fact]
    public void A_late_answer_is_sent_at_once()
    {
        var peer = ScriptedPeer.Open(accepting: true);
        var method = peer.Methods.Add("test/Slow");
        peer.Define(0, "test/Slow");
        peer.Request(s_first, 0, [1]);
        Assert.Null(peer.TryRead());

        method.Pending[0].Reply([42]);

        var response = peer.Read();
        Assert.Equal((FrameKind.Response, s_first), (response.Kind, response.Id));
        Assert.Equal([42], response.Payload);
        Assert.Equal(0, peer.Sut.RequestCounts.OpenCount);
    }

    [Fact]
    public void An_unknown_method_is_unimplemented_not_executed_and_the_connection_lives()
    {
        var peer = ScriptedPeer.Open(accepting: true);
        peer.Methods.Add("test/Echo").Handler = body => body;
        peer.Define(0, "test/Nowhere");
        peer.Define(1, "test/Echo");

        peer.Request(s_first, 0, []);
        peer.Request(new CallId(2, 1), 1, [5]);

        Assert.True(FailFrame.TryRead(peer.Read().Payload, out var fail, out _));
        Assert.Equal(((byte)MuxStatus.Unimplemented, MuxExecution.NotExecuted), (fail.Status, fail.Execution));
        Assert.Equal([5], peer.Read().Payload);
    }

    [Fact]
    public void A_reply_above_the_callers_message_limit_fails_its_call_executed_and_names_both()
    {
        var peer = ScriptedPeer.Open(accepting: true, settings: new PeerSettings { MaxMessage = 20_000 });
        peer.Methods.Add("test/Big").Handler = _ => new byte[20_001];
        peer.Define(0, "test/Big");

        peer.Request(s_first, 0, []);

        var answer = Assert.Single(peer.ReadAll());
        Assert.True(FailFrame.TryRead(answer.Payload, out var fail, out _));
        Assert.Equal(((byte)MuxStatus.ResourceExhausted, MuxExecution.Executed), (fail.Status, fail.Execution));
        Assert.Contains("20001", fail.Text, StringComparison.Ordinal);
        Assert.Contains("MaxMessageBytes of the client (MuxChannelOptions) is 20000", fail.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void A_reply_above_the_callers_frame_limit_comes_in_frames_that_it_takes()
    {
        var peer = ScriptedPeer.Open(accepting: true, settings: new PeerSettings { MaxFramePayload = 20_000 });
        peer.Methods.Add("test/Big").Handler = _ => [.. Enumerable.Range(0, 50_000).Select(i => (byte)i)];
        peer.Define(0, "test/Big");

        peer.Request(s_first, 0, []);

        var frames = peer.ReadAll();
        Assert.Equal([4, 20_000, 20_000, 10_000], frames.Select(frame => frame.Header.Length));
        Assert.Equal(Enumerable.Range(0, 50_000).Select(i => (byte)i), Fragments.Join(frames).Single().Payload);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1_000)]
    [InlineData(40_000)]
    [InlineData(65_536)]
    public void Replies_of_any_size_that_fits_arrive_whole(int size)
    {
        var work = new ManualWork();
        var peer = ScriptedPeer.Open(accepting: true, new ConnectionOptions { Work = work });
        peer.Methods.Add("test/Sized").Handler = _ => [.. Enumerable.Range(0, size).Select(i => (byte)i)];
        peer.Define(0, "test/Sized");
        var batch = new List<byte>();
        for (int slot = 1; slot <= 5; slot++) batch.AddRange(ScriptedPeer.Frame(FrameKind.Request, new CallId(slot, 1), [0, 0, 0, 0]));

        peer.Send([.. batch]);
        work.RunAll(); // the caller sends a part of them itself

        var replies = peer.ReadMessages();
        Assert.Equal(5, replies.Count);
        Assert.All(replies, reply => Assert.Equal(Enumerable.Range(0, size).Select(i => (byte)i), reply.Payload));
    }

    [Fact]
    public void A_request_that_arrives_expired_is_not_started()
    {
        var peer = ScriptedPeer.Open(accepting: true);
        var method = peer.Methods.Add("test/Slow");
        peer.Define(0, "test/Slow");

        peer.SendFrame(FrameKind.Request, s_first, [0, 0, (byte)RequestOptions.Deadline, 0, 0, 0, 0, 0]);

        Assert.True(FailFrame.TryRead(peer.Read().Payload, out var fail, out _));
        Assert.Equal(((byte)MuxStatus.DeadlineExceeded, MuxExecution.NotExecuted), (fail.Status, fail.Execution));
        Assert.Empty(method.Bodies);
    }

    [Fact]
    public async Task The_token_of_a_handler_fires_on_CANCEL()
    {
        var peer = ScriptedPeer.Open(accepting: true);
        var method = peer.Methods.Add("test/Slow", takesToken: true);
        peer.Define(0, "test/Slow");
        peer.Request(s_first, 0, []);

        peer.SendFrame(FrameKind.Cancel, s_first, [0]);

        await method.Tokens[0].FiresAsync();
        method.Pending[0].Fail(MuxStatus.Cancelled, MuxExecution.Executed, "cancelled");
        Assert.Equal(FrameKind.Fail, peer.Read().Kind);
    }

    [Fact]
    public async Task The_token_of_a_handler_fires_at_the_deadline()
    {
        var peer = ScriptedPeer.Open(accepting: true);
        var method = peer.Methods.Add("test/Slow", takesToken: true);
        peer.Define(0, "test/Slow");
        peer.SendFrame(FrameKind.Request, s_first, [0, 0, (byte)RequestOptions.Deadline, 0, 0x50, 0xC3, 0, 0]); // 50,000 us

        peer.Time.Advance(TimeSpan.FromMilliseconds(49));
        Assert.False(method.Tokens[0].Token.IsCancellationRequested);
        peer.Time.Advance(TimeSpan.FromMilliseconds(21));

        await method.Tokens[0].FiresAsync();
    }

    [Fact]
    public async Task The_token_of_a_handler_fires_when_the_connection_ends()
    {
        var peer = ScriptedPeer.Open(accepting: true);
        var method = peer.Methods.Add("test/Slow", takesToken: true);
        peer.Define(0, "test/Slow");
        peer.Request(s_first, 0, []);

        peer.End();

        await method.Tokens[0].FiresAsync();
        method.Pending[0].Reply([]); // goes nowhere, and counts
        Assert.Equal(0, peer.Sut.RequestCounts.OpenCount);
    }

    [Theory]
    [InlineData(3)]
    [InlineData(20_000)]
    public void A_reply_to_a_call_that_was_given_up_counts_as_what_its_caller_saw(int length)
    {
        var peer = ScriptedPeer.Open(accepting: true);
        var method = peer.Methods.Add("test/Slow");
        peer.Define(0, "test/Slow");
        peer.Request(s_first, 0, []);
        peer.SendFrame(FrameKind.Request, new CallId(2, 1), [0, 0, (byte)RequestOptions.Deadline, 0, 0x50, 0xC3, 0, 0]); // 50,000 us
        peer.Request(new CallId(3, 1), 0, []);
        peer.SendFrame(FrameKind.Cancel, s_first, [0]);
        peer.Time.Advance(TimeSpan.FromMilliseconds(60));
        peer.SendFrame(FrameKind.Cancel, new CallId(2, 1), [1]);

        Assert.Equal([MuxStatus.Cancelled, MuxStatus.DeadlineExceeded, MuxStatus.Ok], method.Pending.Select(call => call.Reply(new byte[length])));

        Assert.All(new[] { MuxStatus.Cancelled, MuxStatus.DeadlineExceeded, MuxStatus.Ok }, status => Assert.Equal(1, peer.Sut.RequestCounts.LockedTally.CountOf(method.Descriptor, status)));
        Assert.Equal(3, peer.ReadAll().Select(frame => frame.Id).Distinct().Count()); // each has its terminal frame all the same
    }

    [Fact]
    public void A_CANCEL_that_crosses_the_answer_is_discarded()
    {
        var peer = ScriptedPeer.Open(accepting: true);
        peer.Methods.Add("test/Echo").Handler = body => body;
        peer.Define(0, "test/Echo");
        peer.Request(s_first, 0, []);

        peer.SendFrame(FrameKind.Cancel, s_first, [0]);

        Assert.Null(peer.Owner.End);
        Assert.Equal(1, peer.Sut.Received.DiscardedFrames);
    }

    [Fact]
    public void New_slots_are_opened_one_after_the_other()
    {
        var peer = ScriptedPeer.Open(accepting: true);
        peer.Methods.Add("test/Echo").Handler = body => body;
        peer.Define(0, "test/Echo");
        for (int slot = 1; slot <= 100; slot++) peer.Request(new CallId(slot, 1), 0, []);
        Assert.Null(peer.Owner.End);

        peer.Request(new CallId(102, 1), 0, []);

        Assert.Equal(CloseReason.ProtocolError, peer.Owner.End?.Reason);
        Assert.Contains("101", peer.Owner.End!.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void A_peer_that_does_not_read_has_its_requests_parked_then_refused_and_run_when_it_reads()
    {
        var options = new ConnectionOptions { UnsentLimit = 1000, ParkedLimit = 2_700, RunningLimit = 1 };
        var peer = ScriptedPeer.Open(accepting: true, options);
        var method = peer.Methods.Add("test/Fat");
        method.Handler = _ => new byte[100];
        peer.Define(0, "test/Fat");
        peer.Link.Capacity = peer.Link.Sent.Length;
        for (int slot = 1; slot <= 100; slot++) peer.Request(new CallId(slot, 1), 0, new byte[10]);
        int ranAtOnce = method.Bodies.Count;
        Assert.InRange(ranAtOnce, 8, 12);

        peer.Link.Grow(long.MaxValue);

        List<RawFrame> answers = []; // a request is over before its answer has left
        Assert.True(SpinWait.SpinUntil(AreAllAnswered, Awaited.Patience), "Parked requests were not answered.");
        Assert.Equal(100, answers.Count);
        int refused = answers.Count(frame => frame.Kind == FrameKind.Fail);
        Assert.Equal(100 - refused, method.Bodies.Count);
        Assert.InRange(method.Bodies.Count, ranAtOnce + 10, ranAtOnce + 15); // 2,700 bytes of 10 + 192 each

        bool AreAllAnswered()
        {
            if (peer.Sut.RequestCounts.OpenCount > 0 || peer.Sut.Outbound.Unsent > 0) return false;
            answers.AddRange(peer.ReadAll());
            return answers.Count >= 100;
        }
    }

    [Fact]
    public void A_peer_that_goes_on_in_slots_whose_refusals_it_did_not_read_is_cut_off()
    {
        var options = new ConnectionOptions { UnsentLimit = 100, ParkedLimit = 100, RunningLimit = 1, Local = new PeerSettings { MaxCalls = 16 } };
        var peer = ScriptedPeer.Open(accepting: true, options);
        peer.Methods.Add("test/Fat").Handler = _ => new byte[200];
        peer.Define(0, "test/Fat");
        peer.Link.Capacity = peer.Link.Sent.Length;

        peer.Request(new CallId(1, 1), 0, []); // answered; the answer fills the queue
        peer.Request(new CallId(2, 1), 0, []); // parked
        uint refused = 0;
        for (; refused < 1000 && peer.Owner.End is null; refused++) peer.Request(new CallId(3, 1 + refused), 0, []);

        Assert.Equal(CloseReason.ExcessiveLoad, peer.Owner.End?.Reason);
        Assert.Equal(17u, refused); // one more than may be open
    }
}
