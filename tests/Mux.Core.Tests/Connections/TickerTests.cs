using Mux.Runtime;
using Mux.TestSupport.Connections;
using Mux.TestSupport.Time;

namespace Mux.Core.Tests.Connections;

public sealed class TickerTests
{
    private const long Second = 1_000_000;

    private readonly ManualTime _time = new();
    private readonly Clock _clock;
    private readonly Ticker _sut;

    public TickerTests()
    {
        _clock = new Clock(_time);
        _sut = Ticker.For(_clock);
    }

    [Fact]
    public void All_clocks_of_one_provider_share_a_ticker()
    {
        Assert.Same(_sut, Ticker.For(new Clock(_time)));
        Assert.NotSame(_sut, Ticker.For(new Clock(new ManualTime())));
    }

    [Fact]
    public void A_member_is_ticked_when_it_is_due_and_not_before()
    {
        var member = new TickedProbe { NextDue = _clock.Now + Second };
        _sut.Add(member);

        _time.Advance(TimeSpan.FromSeconds(0.999));
        Assert.Equal(0, member.Ticks);
        _time.Advance(TimeSpan.FromMilliseconds(1));

        Assert.Equal(1, member.Ticks);
    }

    [Fact]
    public void A_member_that_is_not_due_is_left_alone()
    {
        var (due, idle) = (new TickedProbe { NextDue = _clock.Now + Second }, new TickedProbe());
        _sut.Add(due);
        _sut.Add(idle);

        _time.Advance(TimeSpan.FromMinutes(1));

        Assert.Equal((1, 0), (due.Ticks, idle.Ticks));
    }

    [Fact]
    public void An_earlier_request_moves_the_tick_forward()
    {
        var member = new TickedProbe { NextDue = _clock.Now + 10 * Second };
        _sut.Add(member);
        member.NextDue = _clock.Now + Second;
        _sut.Request(member.NextDue);

        _time.Advance(TimeSpan.FromSeconds(1));

        Assert.Equal(1, member.Ticks);
    }

    [Fact]
    public void Ticks_are_at_least_the_resolution_apart()
    {
        var member = new TickedProbe { NextDue = _clock.Now, Every = 1 };
        _sut.Add(member);

        _time.Advance(TimeSpan.FromSeconds(1));

        Assert.InRange(member.Ticks, 90, 101);
    }

    [Fact]
    public void Without_anything_due_there_is_no_timer_armed()
    {
        _sut.Add(new TickedProbe());

        Assert.Equal(0, _time.ArmedTimers);
    }

    [Fact]
    public void The_last_member_takes_the_timer_with_it()
    {
        var members = Enumerable.Range(1, 3).Select(i => new TickedProbe { NextDue = _clock.Now + i * Second }).ToList();
        members.ForEach(_sut.Add);
        Assert.Equal(1, _time.ArmedTimers);

        members.ForEach(_sut.Remove);

        Assert.Equal((0, 0), (_sut.Count, _time.ArmedTimers));
    }

    [Fact]
    public void A_member_added_after_the_last_one_left_is_ticked()
    {
        var gone = new TickedProbe { NextDue = _clock.Now + Second };
        _sut.Add(gone);
        _sut.Remove(gone);
        var member = new TickedProbe { NextDue = _clock.Now + 2 * Second };
        _sut.Add(member);

        _time.Advance(TimeSpan.FromSeconds(2));

        Assert.Equal((0, 1), (gone.Ticks, member.Ticks));
    }

    [Theory]
    [InlineData(60 * 24 * 3600 * Second)]
    [InlineData(long.MaxValue / 2)]
    public void A_time_beyond_what_a_timer_takes_is_no_error(long due)
    {
        var sut = Ticker.For(Clock.Shared); // the real one: a manual clock takes anything
        var member = new TickedProbe { NextDue = due };

        sut.Add(member);
        sut.Remove(member);

        Assert.Equal(0, member.Ticks);
    }

    [Fact]
    public void A_time_beyond_what_a_timer_takes_is_reached()
    {
        var member = new TickedProbe { NextDue = _clock.Now + 60L * 24 * 3600 * Second };
        _sut.Add(member);

        _time.Advance(TimeSpan.FromDays(59.9));
        Assert.Equal(0, member.Ticks);
        _time.Advance(TimeSpan.FromDays(0.1));

        Assert.Equal(1, member.Ticks);
    }

    [Fact]
    public void Members_that_come_and_go_on_other_threads_disturb_nobody()
    {
        var steady = new TickedProbe { NextDue = _clock.Now + Second, Every = Second };
        _sut.Add(steady);
        int running = 3;
        int expected = 0;

        Racers.Run([.. Enumerable.Repeat<Action<Racers>>(ComeAndGo, 3), MoveTime]);

        Assert.InRange(steady.Ticks, expected - 1, expected);
        Assert.Equal(1, _sut.Count);

        void ComeAndGo(Racers racers)
        {
            for (int i = 0; i < 3_000; i++)
            {
                var passing = new TickedProbe { NextDue = _clock.Now + 1 + i % 7 * Second };
                _sut.Add(passing);
                _sut.Request(passing.NextDue);
                _sut.Remove(passing);
            }

            Interlocked.Decrement(ref running);
        }

        void MoveTime(Racers racers)
        {
            while (Volatile.Read(ref running) > 0 || expected < 10)
            {
                _time.Advance(TimeSpan.FromSeconds(1));
                expected++;
            }
        }
    }
}
