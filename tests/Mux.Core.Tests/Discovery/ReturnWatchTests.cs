using Mux.Client;
using Mux.Runtime;

namespace Mux.Core.Tests.Discovery;

/// <summary>When a source is asked again for what has left its set.</summary>
public sealed class ReturnWatchTests
{
    private const long Second = 1_000_000;

    private readonly ReturnWatch _sut = new(new ChosenRandom(0));

    [Fact]
    public void Nothing_is_asked_for_while_sets_grow_or_stay()
    {
        foreach (int size in (int[])[0, 2, 2, 5])
        {
            _sut.OnSet(size, now: 7);
            Assert.Equal(Clock.Never, _sut.PauseAt(8));
        }
    }

    [Theory]
    [InlineData(0, 1)]
    [InlineData(8, 1)]
    [InlineData(16, 2)]
    [InlineData(80, 10)]
    [InlineData(119, 14.875)]
    public void The_pause_is_an_eighth_of_the_absence_and_at_least_a_second(int absence, double pause)
    {
        _sut.OnSet(3, now: 0);
        _sut.OnSet(2, now: 5 * Second);
        Assert.Equal((long)(pause * Second), _sut.PauseAt((5 + absence) * Second));
    }

    [Fact]
    public void The_pause_is_up_to_a_quarter_longer_at_random()
    {
        var sut = new ReturnWatch(new ChosenRandom(0.5));
        sut.OnSet(3, now: 0);
        sut.OnSet(2, now: 0);
        Assert.Equal(9 * Second, sut.PauseAt(64 * Second));
    }

    [Fact]
    public void It_ends_when_as_many_are_there_as_before_whatever_their_addresses_or_after_two_minutes()
    {
        _sut.OnSet(3, now: 0);
        _sut.OnSet(1, now: 0);
        _sut.OnSet(2, now: Second);
        Assert.NotEqual(Clock.Never, _sut.PauseAt(2 * Second));
        _sut.OnSet(3, now: 2 * Second);
        Assert.Equal(Clock.Never, _sut.PauseAt(2 * Second));

        _sut.OnSet(2, now: 3 * Second);
        Assert.NotEqual(Clock.Never, _sut.PauseAt(122 * Second));
        Assert.Equal(Clock.Never, _sut.PauseAt(123 * Second));
    }

    [Fact]
    public void A_loss_that_lasted_for_two_minutes_is_expected_from_then_on()
    {
        _sut.OnSet(3, now: 0);
        _sut.OnSet(2, now: 0);
        _sut.OnSet(2, now: 121 * Second);
        Assert.Equal(Clock.Never, _sut.PauseAt(122 * Second));
        _sut.OnSet(1, now: 123 * Second);
        Assert.Equal(Second, _sut.PauseAt(123 * Second));
        _sut.OnSet(2, now: 124 * Second); // not three: that was long ago
        Assert.Equal(Clock.Never, _sut.PauseAt(124 * Second));
    }

    [Fact]
    public void A_second_loss_begins_the_time_anew()
    {
        _sut.OnSet(3, now: 0);
        _sut.OnSet(2, now: 0);
        _sut.OnSet(1, now: 80 * Second);
        Assert.Equal(Second, _sut.PauseAt(80 * Second));
    }
}
