using Mux.Engine;
using Mux.Runtime;

namespace Mux.Core.Tests.Connections;

public sealed class KeepAliveTests
{
    private readonly KeepAlive _sut = new(time: 100, timeout: 30, asksIdle: false);

    public KeepAliveTests() => _sut.Start(0);

    [Fact]
    public void A_peer_is_asked_after_the_time_of_silence_and_not_before()
    {
        Assert.Equal(KeepAlive.Decision.None, Decide(99));
        Assert.Equal(KeepAlive.Decision.Ask, Decide(100));
        Assert.Equal(130, _sut.Due);
    }

    [Fact]
    public void Silence_is_counted_from_the_last_byte()
    {
        _sut.LastReceived = 60;

        Assert.Equal(KeepAlive.Decision.None, Decide(100));
        Assert.Equal(160, _sut.Due);
        Assert.Equal(KeepAlive.Decision.Ask, Decide(160));
    }

    [Fact]
    public void A_peer_that_answers_in_time_is_asked_again_after_as_much_silence()
    {
        Decide(100);
        _sut.LastReceived = 129;

        Assert.Equal(KeepAlive.Decision.None, Decide(130));
        Assert.Equal(229, _sut.Due);
    }

    [Fact]
    public void A_peer_that_does_not_answer_is_dead()
    {
        Decide(100);

        Assert.Equal(KeepAlive.Decision.None, Decide(129));
        Assert.Equal(KeepAlive.Decision.Dead, Decide(130));
    }

    [Fact]
    public void A_timeout_longer_than_the_time_holds_up_no_question()
    {
        var sut = new KeepAlive(time: 100, timeout: 1500, asksIdle: false);
        sut.Start(0);
        for (int now = 100; now <= 1000; now += 100)
        {
            Assert.Equal(now, sut.Due);
            Assert.Equal(KeepAlive.Decision.Ask, sut.Decide(now, callsOpen: true, isReading: false));
            sut.LastReceived = now; // the answer
        }
    }

    [Fact]
    public void An_answer_later_than_the_time_holds_up_the_next_question_no_longer_than_the_time()
    {
        var sut = new KeepAlive(time: 100, timeout: 1500, asksIdle: false);
        sut.Start(0);
        sut.Decide(100, callsOpen: true, isReading: false);
        Assert.Equal(KeepAlive.Decision.None, sut.Decide(200, callsOpen: true, isReading: false));
        sut.LastReceived = 210;

        Assert.Equal(KeepAlive.Decision.None, sut.Decide(sut.Due, callsOpen: true, isReading: false));
        Assert.Equal(310, sut.Due);
    }

    [Fact]
    public void A_timeout_longer_than_the_time_is_waited_for_whole()
    {
        var sut = new KeepAlive(time: 100, timeout: 1500, asksIdle: false);
        sut.Start(0);
        sut.Decide(100, callsOpen: true, isReading: false);

        while (sut.Due < 1600) Assert.Equal(KeepAlive.Decision.None, sut.Decide(sut.Due, callsOpen: true, isReading: false));
        Assert.Equal(1600, sut.Due);
        Assert.Equal(KeepAlive.Decision.None, sut.Decide(1599, callsOpen: true, isReading: false));
        Assert.Equal(KeepAlive.Decision.Dead, sut.Decide(1600, callsOpen: true, isReading: false));
    }

    [Fact]
    public void Without_open_calls_nobody_is_asked()
    {
        Assert.Equal(KeepAlive.Decision.None, Decide(100, callsOpen: false));
        Assert.Equal(200, _sut.Due);
    }

    [Theory]
    [InlineData(2_000_000, 2_000_000)]
    [InlineData(100, KeepAlive.LeastIdleTime)] // a peer counts what comes sooner as abuse
    public void A_server_asks_without_open_calls_too(long time, long expected)
    {
        var sut = new KeepAlive(time, timeout: 30, asksIdle: true);
        sut.Start(0);
        while (sut.Due < expected) Assert.Equal(KeepAlive.Decision.None, sut.Decide(sut.Due, callsOpen: false, isReading: false));

        Assert.Equal(expected, sut.Due);
        Assert.Equal(KeepAlive.Decision.Ask, sut.Decide(expected, callsOpen: false, isReading: false));
        while (sut.Due < expected + 30) sut.Decide(sut.Due, callsOpen: false, isReading: false);
        Assert.Equal(KeepAlive.Decision.Dead, sut.Decide(expected + 30, callsOpen: false, isReading: false));
    }

    [Fact]
    public void A_call_that_is_opened_meanwhile_is_asked_for_after_the_time()
    {
        var sut = new KeepAlive(time: 100, timeout: 30, asksIdle: true);
        sut.Start(0);
        sut.Decide(100, callsOpen: false, isReading: false);

        Assert.Equal(200, sut.Due);
        Assert.Equal(KeepAlive.Decision.Ask, sut.Decide(200, callsOpen: true, isReading: false));
    }

    [Fact]
    public void PINGs_are_no_activity_however_many_come_in_a_row()
    {
        _sut.OnReceived(10);
        for (int at = 20; at <= 50; at += 10)
        {
            _sut.OnReceived(at);
            _sut.OnPing();
            _sut.OnPing(); // in the same bytes
            Assert.Equal((10, at), (_sut.LastActive, _sut.LastReceived));
        }

        _sut.OnReceived(60);
        Assert.Equal(60, _sut.LastActive);
        _sut.OnReceived(70);
        _sut.OnPing();
        Assert.Equal(60, _sut.LastActive);
    }

    [Fact]
    public void Bytes_that_wait_to_be_read_speak_for_the_peer()
    {
        Decide(100);

        Assert.Equal(KeepAlive.Decision.None, Decide(130, isReading: true));
        Assert.Equal(130 + Ticker.Resolution, _sut.Due);
        Assert.Equal(KeepAlive.Decision.Dead, Decide(_sut.Due));
    }

    [Fact]
    public void A_time_of_never_asks_never()
    {
        var sut = new KeepAlive(Clock.Never, 30, asksIdle: true);
        sut.Start(0);

        Assert.Equal(Clock.Never, sut.Due);
        Assert.Equal(KeepAlive.Decision.None, sut.Decide(long.MaxValue - 1, callsOpen: true, isReading: false));
    }

    private KeepAlive.Decision Decide(long now, bool callsOpen = true, bool isReading = false) => _sut.Decide(now, callsOpen, isReading);
}
