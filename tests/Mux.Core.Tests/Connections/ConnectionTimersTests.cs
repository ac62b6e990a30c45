using Mux.Engine;
using Mux.Runtime;

namespace Mux.Core.Tests.Connections;

public sealed class ConnectionTimersTests
{
    private readonly ConnectionTimers _sut = new(new ConnectionOptions
    {
        HandshakeTimeout = 100,
        IdleTimeout = 200,
        StallTimeout = 30,
        FlushTimeout = 50,
        LingerTimeout = 10,
    });

    [Fact]
    public void The_handshake_is_timed_until_the_connection_is_open()
    {
        _sut.StartHandshake(1);
        Assert.Equal(101, _sut.NextDue);

        _sut.Open(50, Clock.Never);

        Assert.Equal((Clock.Never, 250), (_sut.HandshakeDue, _sut.IdleDue));
    }

    [Fact]
    public void Calls_that_come_after_the_others_were_withdrawn_are_withdrawn_after_a_pause()
    {
        Assert.False(_sut.TryRepeatWithdrawal(1, isFirst: false)); // no other connection is open
        _sut.StartWithdrawal(60);
        Assert.True(_sut.TryRepeatWithdrawal(10, isFirst: false)); // they are withdrawn with the others
        Assert.Equal(60, _sut.NextDue);
        Assert.True(_sut.TryWithdraw(60));

        Assert.True(_sut.TryRepeatWithdrawal(70, isFirst: false));
        Assert.True(_sut.TryRepeatWithdrawal(80, isFirst: false));

        Assert.Equal(50_070, _sut.NextDue);
        Assert.True(_sut.TryWithdraw(50_070));
        Assert.True(_sut.TryRepeatWithdrawal(50_080, isFirst: false));
        Assert.Equal(150_080, _sut.NextDue);
    }

    [Fact]
    public void The_first_call_that_comes_after_a_withdrawal_of_none_waits_for_a_pause()
    {
        _sut.StartWithdrawal(60);
        Assert.True(_sut.TryRepeatWithdrawal(10, isFirst: true));
        Assert.Equal(60, _sut.NextDue);

        Assert.True(_sut.TryRepeatWithdrawal(70, isFirst: true));

        Assert.Equal(50_070, _sut.NextDue);
    }

    [Fact]
    public void A_stall_is_timed_from_the_last_byte_that_was_taken()
    {
        _sut.OnBlocked(10, progress: false);
        _sut.OnBlocked(20, progress: false);
        Assert.Equal(40, _sut.StallDue);

        _sut.OnBlocked(25, progress: true);
        Assert.Equal(55, _sut.StallDue);

        _sut.OnUnblocked(now: 30);
        Assert.Equal(Clock.Never, _sut.StallDue);
    }

    [Fact]
    public void The_time_for_which_the_link_was_blocked_is_told_once()
    {
        _sut.OnBlocked(10, progress: false);
        _sut.OnBlocked(20, progress: true);
        Assert.Equal(15, _sut.TakeBlockedTime(25));
        _sut.OnUnblocked(now: 35);
        _sut.OnBlocked(50, progress: false);
        _sut.OnUnblocked(now: 51);

        Assert.Equal(11, _sut.TakeBlockedTime(100));
        Assert.Equal(0, _sut.TakeBlockedTime(200));
    }

    [Fact]
    public void A_connection_is_idle_when_nothing_came_for_the_idle_time()
    {
        _sut.Open(0, Clock.Never);

        Assert.False(_sut.CheckIdle(199, callsOpen: false, lastActive: 0));
        Assert.False(_sut.CheckIdle(200, callsOpen: false, lastActive: 150));
        Assert.Equal(350, _sut.IdleDue);
        Assert.True(_sut.CheckIdle(350, callsOpen: false, lastActive: 150));
        Assert.Equal(Clock.Never, _sut.IdleDue);
    }

    [Fact]
    public void A_connection_with_open_calls_is_looked_at_again_after_the_idle_time()
    {
        _sut.Open(0, Clock.Never);

        Assert.False(_sut.CheckIdle(200, callsOpen: true, lastActive: 0));

        Assert.Equal(400, _sut.IdleDue);
    }

    [Fact]
    public void The_end_is_timed_twice_for_the_last_bytes_and_for_the_peers_end()
    {
        _sut.Open(0, Clock.Never);

        _sut.StartFlush(1000);
        Assert.Equal((1050, Clock.Never), (_sut.EndDue, _sut.IdleDue));
        _sut.StartLinger(1020);

        Assert.Equal(1030, _sut.EndDue);
    }
}
