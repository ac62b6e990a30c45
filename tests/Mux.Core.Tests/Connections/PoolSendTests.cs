using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Connections;

/// <summary>Threads of the .NET pool leave sends to each other while more of them may have something to send, and never for long.</summary>
public sealed class PoolSendTests
{
    private const int MostFrames = 32;
    private static readonly MethodDescriptor s_echo = new("test", "Echo", MethodShape.Unary, takesToken: false);

    private readonly ManualPool _pool = new();
    private readonly ScriptedPeer _peer;

    public PoolSendTests()
    {
        _peer = ScriptedPeer.Open(accepting: false, new ConnectionOptions { Pool = _pool });
        _pool.IsEmpty = true;
        Call(); // defines the method
        _peer.ReadAll();
        _pool.IsEmpty = false;
    }

    [Fact]
    public void Requests_made_while_work_waits_in_the_pool_leave_in_one_send_behind_that_work()
    {
        int sends = _peer.Link.Sends;
        for (int i = 0; i < 5; i++) Call();
        Assert.Equal((sends, 1), (_peer.Link.Sends, _pool.Count));

        _pool.RunOne();

        Assert.Equal(5, _peer.ReadAll().Count(frame => frame.Kind == FrameKind.Request));
        Assert.Equal(sends + 1, _peer.Link.Sends);
    }

    [Fact]
    public void Replies_made_while_work_waits_in_the_pool_leave_in_one_send_behind_that_work()
    {
        var peer = ScriptedPeer.Open(accepting: true, new ConnectionOptions { Pool = _pool });
        var slow = peer.Methods.Add("test/Slow");
        peer.Define(0, "test/Slow");
        for (int slot = 1; slot <= 3; slot++) peer.Request(new CallId(slot, 1), 0, []);
        peer.ReadAll();
        int sends = peer.Link.Sends;
        Assert.Equal(3, slow.Pending.Count);

        foreach (var call in slow.Pending) call.Reply([1]);

        Assert.Equal(sends, peer.Link.Sends);
        _pool.RunOne();
        Assert.Equal(3, peer.ReadAll().Count(frame => frame.Kind == FrameKind.Response));
        Assert.Equal(sends + 1, peer.Link.Sends);
    }

    [Fact]
    public void A_request_made_while_the_pool_has_nothing_else_to_do_leaves_at_once()
    {
        _pool.IsEmpty = true;

        Call();

        Assert.Equal(FrameKind.Request, _peer.Read().Kind);
        Assert.Equal(0, _pool.Count);
    }

    [Fact]
    public void A_request_of_a_thread_that_is_not_of_the_pool_leaves_at_once_with_those_left_before()
    {
        Call();
        _pool.IsOwnThread = false;

        Call();

        Assert.Equal(2, _peer.ReadAll().Count);
        _pool.RunOne(); // has nothing left to do
        Assert.Empty(_peer.ReadAll());
    }

    [Fact]
    public void The_thread_that_appends_the_last_frame_that_may_share_a_send_sends()
    {
        for (int i = 1; i < MostFrames; i++) Call();
        Assert.Empty(_peer.ReadAll());

        Call();

        Assert.Equal(MostFrames, _peer.ReadAll().Count);
    }

    [Theory, InlineData(99, 0), InlineData(100, 2)]
    public void A_thread_that_appends_100_microseconds_later_sends(int microseconds, int leave)
    {
        Call();
        _peer.Time.Advance(TimeSpan.FromMicroseconds(microseconds));

        Call();

        Assert.Equal(leave, _peer.ReadAll().Count);
    }

    [Fact]
    public void What_is_left_again_before_the_pool_has_come_that_far_is_queued_once()
    {
        for (int i = 0; i < MostFrames + 1; i++) Call();

        Assert.Equal(1, _pool.Count);
        _peer.ReadAll();
        _pool.RunOne();
        Assert.Single(_peer.ReadAll());
    }

    [Fact]
    public void If_the_pool_is_blocked_another_thread_sends_after_two_ticks()
    {
        Call();

        Assert.True(_pool.Postponed.OnTick());
        Assert.Equal(0, _pool.Others.Count);
        _pool.Postponed.OnTick();
        _pool.Others.RunAll();

        Assert.Equal(FrameKind.Request, _peer.Read().Kind);
        Assert.Equal(1, _pool.Count);
        Assert.False(_pool.Postponed.IsWatching);
    }

    [Fact]
    public void A_send_that_the_pool_has_done_is_watched_no_longer()
    {
        Call();
        _pool.RunOne();

        _pool.Postponed.OnTick();
        _pool.Postponed.OnTick();

        Assert.Equal(0, _pool.Others.Count);
        Assert.False(_pool.Postponed.IsWatching);
    }

    [Fact]
    public void What_was_left_when_the_connection_ended_is_not_sent()
    {
        Call();
        _peer.Sut.Abort(new ConnectionEnd(CloseReason.ConnectionLost, "Lost."));

        _pool.RunOne();

        Assert.Empty(_peer.ReadAll());
    }

    private void Call() => _peer.Call(s_echo, [1]);
}
