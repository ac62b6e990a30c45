using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;
using Mux.TestSupport.Connections;
using Mux.TestSupport.Time;
using Mux.Transports;

namespace Mux.Core.Tests.Connections;

public sealed class LifecycleTests
{
    private static readonly MethodDescriptor s_echo = new("test", "Echo", MethodShape.Unary, takesToken: false);
    private static readonly ConnectionOptions s_keepAlive = new() { KeepAliveTime = 1_000_000, KeepAliveTimeout = 500_000 };

    [Fact]
    public void An_accepting_side_writes_nothing_before_a_whole_preface()
    {
        var peer = new ScriptedPeer(accepting: true);
        foreach (byte b in Preface.Bytes.ToArray())
        {
            Assert.Empty(peer.Link.Sent);
            peer.Send([b]);
        }

        peer.Send(ScriptedPeer.Hello(PeerSettings.Default));

        Assert.Equal(FrameKind.Hello, peer.Read().Kind);
    }

    [Fact]
    public void Each_side_learns_the_others_settings()
    {
        var settings = new PeerSettings { MaxCalls = 77, PeerName = "öbug", InstanceId = Guid.NewGuid(), KeepAliveMilliseconds = 123 };

        var peer = ScriptedPeer.Open(accepting: true, settings: settings);

        Assert.Equal(settings, peer.Sut.Peer);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_peer_that_says_nothing_is_given_up_after_the_handshake_timeout(bool accepting)
    {
        var peer = new ScriptedPeer(accepting);

        peer.Time.Advance(TimeSpan.FromSeconds(9.9));
        Assert.Null(peer.Owner.End);
        peer.Time.Advance(TimeSpan.FromSeconds(0.2));

        Assert.Equal(CloseReason.HandshakeTimeout, peer.Owner.End?.Reason);
        if (accepting) Assert.True(peer.Link.IsClosed);
        if (accepting) Assert.Empty(peer.Link.Sent);
    }

    [Fact]
    public void The_handshake_timeout_is_absolute_whatever_dribbles_in()
    {
        var peer = new ScriptedPeer(accepting: true);
        foreach (byte b in Preface.Bytes)
        {
            peer.Time.Advance(TimeSpan.FromSeconds(1));
            peer.Send([b]);
        }

        peer.Time.Advance(TimeSpan.FromSeconds(2.1));

        Assert.Equal(CloseReason.HandshakeTimeout, peer.Owner.End?.Reason);
        Assert.Equal(FrameKind.GoAway, peer.Read().Kind);
    }

    [Fact]
    public void A_silent_peer_with_open_calls_is_asked_and_then_given_up()
    {
        var peer = ScriptedPeer.Open(accepting: false, s_keepAlive);
        var call = peer.Call(s_echo, []);
        peer.ReadAll();

        peer.Time.Advance(TimeSpan.FromSeconds(1.02));
        Assert.Equal(FrameKind.Ping, peer.Read().Kind);
        peer.Time.Advance(TimeSpan.FromSeconds(0.52));

        Assert.Equal(CloseReason.KeepAliveTimeout, peer.Owner.End?.Reason);
        Assert.Equal((MuxStatus.Unavailable, MuxExecution.MayHaveExecuted), (call.Failure!.Status, call.Failure.Execution));
        Assert.True(peer.Link.IsClosed);
    }

    [Fact]
    public void Any_byte_answers_a_keep_alive()
    {
        var peer = ScriptedPeer.Open(accepting: false, s_keepAlive);
        peer.Call(s_echo, []);
        for (int i = 0; i < 10; i++)
        {
            peer.ReadAll();
            peer.Time.Advance(TimeSpan.FromSeconds(1.02));
            Assert.Equal(FrameKind.Ping, peer.Read().Kind);
            peer.SendFrame((FrameKind)0x1F, default, []); // an extension, which is skipped
        }

        Assert.Null(peer.Owner.End);
    }

    [Fact]
    public void A_peer_without_open_calls_is_never_asked()
    {
        var peer = ScriptedPeer.Open(accepting: false, s_keepAlive);

        peer.Time.Advance(TimeSpan.FromMinutes(1));

        Assert.Null(peer.TryRead());
        Assert.Null(peer.Owner.End);
    }

    [Fact]
    public void A_peer_whose_bytes_wait_to_be_read_is_not_dead()
    {
        var peer = ScriptedPeer.Open(accepting: false, s_keepAlive);
        peer.Call(s_echo, []);
        peer.Link.UndeliveredInput = true;

        peer.Time.Advance(TimeSpan.FromSeconds(10));
        Assert.Null(peer.Owner.End);
        peer.Link.UndeliveredInput = false;
        peer.Time.Advance(TimeSpan.FromSeconds(1));

        Assert.Equal(CloseReason.KeepAliveTimeout, peer.Owner.End?.Reason);
    }

    [Fact]
    public void A_ping_is_answered_with_its_bytes()
    {
        var peer = ScriptedPeer.Open(accepting: true);

        peer.SendFrame(FrameKind.Ping, default, [1, 2, 3, 4, 5, 6, 7, 8]);

        var answer = peer.Read();
        Assert.Equal((FrameKind.Ping, FrameFlags.Answer), (answer.Kind, answer.Header.Flags));
        Assert.Equal([1, 2, 3, 4, 5, 6, 7, 8], answer.Payload);
    }

    [Fact]
    public void A_flood_of_pings_to_a_peer_that_does_not_read_leaves_one_answer_queued_and_the_latest_owed()
    {
        var peer = ScriptedPeer.Open(accepting: true);
        peer.Link.Capacity = peer.Link.Sent.Length;
        for (byte i = 0; i < 200; i++) peer.SendFrame(FrameKind.Ping, default, [i, 0, 0, 0, 0, 0, 0, 0]);
        Assert.Equal(16, peer.Sut.Outbound.Unsent);

        peer.Link.Grow(long.MaxValue);

        Assert.Equal([0, 199], peer.ReadAll().Select(frame => (int)frame.Payload[0]));
    }

    [Fact]
    public void An_idle_connection_drains_after_the_idle_time_and_never_while_a_call_is_open()
    {
        var peer = ScriptedPeer.Open(accepting: true, new ConnectionOptions { IdleTimeout = 2_000_000 });
        var method = peer.Methods.Add("test/Slow");
        peer.Define(0, "test/Slow");
        peer.Request(new CallId(1, 1), 0, []);
        peer.Time.Advance(TimeSpan.FromSeconds(10));
        Assert.Null(peer.TryRead());
        method.Pending[0].Reply([]);
        Assert.Equal(FrameKind.Response, peer.Read().Kind);

        peer.Time.Advance(TimeSpan.FromSeconds(2.5));

        Assert.True(GoAwayFrame.TryRead(peer.Read().Payload, out var goAway, out _));
        Assert.Equal(ConnectionCode.IdleTimeout, goAway.Code);
        peer.SendFrame(FrameKind.GoAway, default, [], FrameFlags.Answer);
        Assert.Equal(CloseReason.Idle, peer.Owner.End?.Reason);
        Assert.True(peer.Link.IsSendEnded);
    }

    [Fact]
    public void A_peer_that_takes_no_byte_for_the_stall_time_is_given_up()
    {
        var peer = ScriptedPeer.Open(accepting: false);
        peer.Link.Capacity = peer.Link.Sent.Length + 3;
        peer.Call(s_echo, []);

        peer.Time.Advance(TimeSpan.FromSeconds(29));
        peer.Link.Grow(peer.Link.Capacity + 3);
        peer.Time.Advance(TimeSpan.FromSeconds(29));
        Assert.Null(peer.Owner.End);
        peer.Time.Advance(TimeSpan.FromSeconds(2));

        Assert.Equal(CloseReason.SlowPeer, peer.Owner.End?.Reason);
        Assert.True(peer.Link.IsClosed);
    }

    [Fact]
    public void A_drain_waits_for_the_acknowledgement_and_the_open_calls_then_ends_the_sending_and_waits_for_the_peer()
    {
        var peer = ScriptedPeer.Open(accepting: true);
        var method = peer.Methods.Add("test/Slow");
        peer.Define(0, "test/Slow");
        peer.Request(new CallId(1, 1), 0, []);

        peer.Sut.BeginDrain(20_000_000);
        Assert.Equal(FrameKind.GoAway, peer.Read().Kind);
        peer.Request(new CallId(2, 1), 0, []); // crossed with the GOAWAY: served
        peer.SendFrame(FrameKind.GoAway, default, [], FrameFlags.Answer);
        method.Pending[0].Reply([]);
        Assert.Null(peer.Owner.End);
        method.Pending[1].Reply([]);

        Assert.Equal([FrameKind.Response, FrameKind.Response], peer.ReadAll().Select(frame => frame.Kind));
        Assert.Equal(CloseReason.Drained, peer.Owner.End?.Reason);
        Assert.True(peer.Link.IsSendEnded);
        Assert.False(peer.Link.IsClosed);
        peer.Time.Advance(TimeSpan.FromSeconds(1.1));
        Assert.True(peer.Link.IsClosed);
    }

    [Fact]
    public void A_request_after_the_drain_was_acknowledged_is_a_protocol_error()
    {
        var peer = ScriptedPeer.Open(accepting: true);
        peer.Methods.Add("test/Slow");
        peer.Define(0, "test/Slow");
        peer.Request(new CallId(1, 1), 0, []);
        peer.Sut.BeginDrain(20_000_000);
        peer.SendFrame(FrameKind.GoAway, default, [], FrameFlags.Answer);

        peer.Request(new CallId(2, 1), 0, []);

        Assert.Equal(CloseReason.ProtocolError, peer.Owner.End?.Reason);
    }

    [Fact]
    public void A_drain_without_acknowledgement_goes_on_after_five_seconds()
    {
        var peer = ScriptedPeer.Open(accepting: true);
        peer.Sut.BeginDrain(20_000_000);

        peer.Time.Advance(TimeSpan.FromSeconds(4.9));
        Assert.Null(peer.Owner.End);
        peer.Time.Advance(TimeSpan.FromSeconds(0.2));

        Assert.Equal(CloseReason.Drained, peer.Owner.End?.Reason);
    }

    [Fact]
    public void When_the_grace_ends_open_requests_are_failed_and_the_connection_ends()
    {
        var peer = ScriptedPeer.Open(accepting: true);
        var method = peer.Methods.Add("test/Slow", takesToken: true);
        peer.Define(0, "test/Slow");
        peer.Request(new CallId(1, 1), 0, []);
        peer.Sut.BeginDrain(2_000_000);
        peer.SendFrame(FrameKind.GoAway, default, [], FrameFlags.Answer);
        peer.ReadAll();

        peer.Time.Advance(TimeSpan.FromSeconds(2.1));

        Assert.True(FailFrame.TryRead(peer.Read().Payload, out var fail, out _));
        Assert.Equal(((byte)MuxStatus.Unavailable, MuxExecution.MayHaveExecuted), (fail.Status, fail.Execution));
        Assert.Equal(CloseReason.Drained, peer.Owner.End?.Reason);
        method.Pending[0].Reply([]);
        Assert.Empty(peer.ReadAll());
    }

    [Fact]
    public void A_peer_that_drains_gets_an_acknowledgement_behind_the_last_request_and_waiting_calls_are_withdrawn()
    {
        var peer = ScriptedPeer.Open(accepting: false, settings: new PeerSettings { MaxCalls = 1 });
        var open = peer.Call(s_echo, [1]);
        var waiting = peer.Call(s_echo, [2]);

        peer.SendFrame(FrameKind.GoAway, default, [(byte)ConnectionCode.Draining, 0, 0, 0, 0, 0]);

        Assert.True(peer.Owner.Draining);
        Assert.Equal([waiting], peer.Owner.Withdrawn);
        var last = peer.ReadAll()[^1];
        Assert.Equal((FrameKind.GoAway, FrameFlags.Answer), (last.Kind, last.Header.Flags));
        Assert.False(peer.Sut.Initiator.TryStart(new ProbeCall(s_echo), []));
        peer.Respond(new CallId(1, 1), []);
        Assert.NotNull(open.Response);
        peer.End();
        Assert.Equal(CloseReason.PeerDrained, peer.Owner.End?.Reason);
    }

    [Fact]
    public void A_peer_that_drains_and_never_ends_is_left_when_no_call_is_open()
    {
        var peer = ScriptedPeer.Open(accepting: false);
        peer.SendFrame(FrameKind.GoAway, default, [(byte)ConnectionCode.Draining, 0, 0, 0, 0, 0]);

        peer.Time.Advance(TimeSpan.FromSeconds(5.1));

        Assert.Equal(CloseReason.PeerDrained, peer.Owner.End?.Reason);
    }

    [Fact]
    public void Both_sides_may_drain_at_once()
    {
        var peer = ScriptedPeer.Open(accepting: false);
        peer.Sut.BeginDrain(1_000_000);

        peer.SendFrame(FrameKind.GoAway, default, [(byte)ConnectionCode.Draining, 0, 0, 0, 0, 0]);
        peer.SendFrame(FrameKind.GoAway, default, [], FrameFlags.Answer);

        Assert.Equal([FrameFlags.None, FrameFlags.Answer], peer.ReadAll().Select(frame => frame.Header.Flags));
        Assert.NotNull(peer.Owner.End);
        Assert.True(peer.Link.IsSendEnded);
    }

    [Fact]
    public void An_error_of_the_peer_fails_all_calls_with_its_text()
    {
        var peer = ScriptedPeer.Open(accepting: false);
        var call = peer.Call(s_echo, []);

        peer.SendFrame(FrameKind.GoAway, default, [(byte)ConnectionCode.ExcessiveLoad, 0, 0, 0, 0, 0, .. "too much"u8]);

        Assert.Equal(CloseReason.PeerError, peer.Owner.End?.Reason);
        Assert.Contains("too much", call.Failure!.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void After_its_end_a_connection_discards_what_comes()
    {
        var peer = ScriptedPeer.Open(accepting: true);
        peer.SendFrame((FrameKind)0x1E, default, []);
        peer.SendFrame(FrameKind.Response, new CallId(9, 1), []);
        Assert.Equal(CloseReason.ProtocolError, peer.Owner.End?.Reason);

        peer.Send(new byte[1000]);
        peer.End();

        Assert.True(peer.Owner.Released);
    }

    [Fact]
    public void A_closed_connection_leaves_no_timer()
    {
        var peer = ScriptedPeer.Open(accepting: false, s_keepAlive);
        peer.Call(s_echo, [], TimeSpan.FromSeconds(5));
        Assert.Equal(1, peer.Time.ArmedTimers);

        peer.End(LinkCloseCause.Reset);

        Assert.Equal(0, peer.Time.ArmedTimers);
    }

    [Fact]
    public void The_owner_hears_of_the_end_before_the_release_even_if_the_link_is_over_first()
    {
        var peer = ScriptedPeer.Open(accepting: false);
        peer.Link.Closing = () => peer.End(LinkCloseCause.Closed);

        peer.Sut.Abort(new ConnectionEnd(CloseReason.Disposed, "Given up."));

        Assert.Equal(CloseReason.Disposed, peer.Owner.End?.Reason);
        Assert.True(peer.Owner.Released);
    }

    [Fact]
    public void A_call_that_waits_for_a_connection_that_is_started_later_has_its_deadline()
    {
        var time = new ManualTime();
        var sut = new Connection(new TestLink(), new ConnectionOptions(), new RecordingOwner(), NoMethods.Instance, new Clock(time), accepting: false);
        sut.AwaitStart();
        var call = new ProbeCall(s_echo) { StartedAt = sut.Clock.Now, Due = sut.Clock.Now + 50_000 };
        Assert.True(sut.Initiator.TryStart(call, []));

        time.Advance(TimeSpan.FromMilliseconds(70));

        Assert.Equal((MuxStatus.DeadlineExceeded, MuxCallPhase.Connect), (call.Failure!.Status, call.Failure.Phase));
        sut.Discard();
        Assert.Equal(0, time.ArmedTimers);
    }

    [Fact]
    public void The_owner_hears_of_the_end_before_the_callers_do()
    {
        var peer = ScriptedPeer.Open(accepting: false);
        bool ownerKnew = false;
        var call = peer.Call(s_echo, []);
        call.OnDone = () => ownerKnew = peer.Owner.End is not null;

        peer.Sut.Abort(new ConnectionEnd(CloseReason.Internal, "The test ends it."));

        Assert.True(ownerKnew);
    }

    [Fact]
    public void An_idle_connection_takes_no_further_call_and_gives_one_that_crossed_its_time()
    {
        var peer = ScriptedPeer.Open(accepting: true, new ConnectionOptions { IdleTimeout = 1_000_000 });
        var slow = peer.Methods.Add("test/Slow");
        peer.Define(0, "test/Slow");
        peer.Time.Advance(TimeSpan.FromSeconds(1.1));
        Assert.Equal(FrameKind.GoAway, peer.Read().Kind);
        Assert.True(peer.Owner.Draining);
        Assert.False(peer.Sut.Initiator.TryStart(new ProbeCall(s_echo), []));

        peer.Request(new CallId(1, 1), 0, []); // it crossed with the GOAWAY
        peer.Time.Advance(TimeSpan.FromMinutes(1));
        peer.ReadAll(); // keep-alive
        Assert.Null(peer.Owner.End);
        slow.Pending[0].Reply([1]);

        Assert.Equal(FrameKind.Response, peer.Read().Kind);
        Assert.Equal(CloseReason.Idle, peer.Owner.End?.Reason);
    }
}
