using Mux.Connections;

namespace Mux.Core.Tests.Connections;

public sealed class KeepAliveTests
{
    private readonly KeepAlive _sut = new(time: 100, timeout: 30);

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
    public void Without_open_calls_nobody_is_asked()
    {
        Assert.Equal(KeepAlive.Decision.None, Decide(100, callsOpen: false));
        Assert.Equal(200, _sut.Due);
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
        var sut = new KeepAlive(Clock.Never, 30);
        sut.Start(0);

        Assert.Equal(Clock.Never, sut.Due);
        Assert.Equal(KeepAlive.Decision.None, sut.Decide(long.MaxValue - 1, callsOpen: true, isReading: false));
    }

    private KeepAlive.Decision Decide(long now, bool callsOpen = true, bool isReading = false) => _sut.Decide(now, callsOpen, isReading);
}
