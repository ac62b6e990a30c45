using Mux.Client;

namespace Mux.Core.Tests.Balancing;

public sealed class EndpointRoomTests
{
    private const long Second = 1_000_000, Wait = 100_000;

    private readonly EndpointRoom _room = new();

    [Fact]
    public void An_endpoint_that_has_refused_nothing_has_room_for_all() => Assert.Equal(EndpointRoom.Unlimited, _room.At(Second));

    [Fact]
    public void Until_the_wait_is_over_there_is_room_for_a_little_less_than_it_had_when_it_refused()
    {
        _room.OnRefused(load: 64, Wait, Second);
        Assert.Equal(60, _room.At(Second));
        Assert.Equal(60, _room.At(Second + Wait - 1));
    }

    [Fact]
    public void Few_calls_that_run_are_no_fewer_after_a_refusal()
    {
        _room.OnRefused(load: 1, Wait, Second);
        Assert.Equal(1, _room.At(Second));
    }

    [Fact]
    public void Of_calls_that_are_refused_together_the_last_one_tells_the_room()
    {
        for (int load = 300; load >= 64; load--) _room.OnRefused(load, Wait, Second);
        _room.OnRefused(load: 80, Wait, Second + 1); // and one that another connection brings late
        Assert.Equal(60, _room.At(Second + 1));
    }

    [Fact]
    public void A_refusal_after_the_wait_tells_the_room_anew()
    {
        _room.OnRefused(load: 10, Wait, Second);
        _room.OnRefused(load: 15, Wait, Second + Wait);
        Assert.Equal(15, _room.At(Second + Wait));
    }

    [Fact]
    public void Refusals_that_never_pause_tell_the_room_anew_when_the_first_wait_is_over()
    {
        _room.OnRefused(load: 10, Wait, Second);
        for (int step = 1; step <= 9; step++) _room.OnRefused(load: 50, Wait, Second + (step * Wait / 10));
        Assert.Equal(10, _room.At(Second + Wait - 1));
        _room.OnRefused(load: 50, Wait, Second + Wait);
        Assert.Equal(47, _room.At(Second + Wait));
        _room.OnRefused(load: 30, Wait, Second + (Wait * 3 / 2));
        Assert.Equal(29, _room.At(Second + (Wait * 3 / 2)));
        Assert.Equal(29, _room.At(Second + (2 * Wait))); // nothing has refused since, but the last wait is not over
    }

    [Fact]
    public void After_the_wait_the_room_grows_ever_faster_and_has_no_limit_a_second_later()
    {
        _room.OnRefused(load: 0, Wait, Second);
        long after = Second + Wait;
        Assert.Equal([0, 1, 2, 4, 512, EndpointRoom.Unlimited], new[] { -1, 0, 1, 2, 9, 10 }.Select(step => _room.At(after + (step * 100_000))));
    }

    [Fact]
    public void A_wait_for_days_counts_for_ten_seconds()
    {
        _room.OnRefused(load: 0, 86_400 * Second, Second);
        Assert.Equal(0, _room.At(11 * Second - 1));
        Assert.Equal(1, _room.At(11 * Second));
    }

    [Fact]
    public void Nothing_is_known_of_another_process()
    {
        _room.OnRefused(load: 0, Wait, Second);
        _room.Forget();
        Assert.Equal(EndpointRoom.Unlimited, _room.At(Second));
    }
}
