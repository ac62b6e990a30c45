using Mux.Runtime;

namespace Mux.Core.Tests.Execution;

public sealed class RoundTimeTests
{
    private readonly RoundTime _sut = new();

    [Fact]
    public void A_thread_without_a_round_says_nothing()
    {
        Assert.Null(_sut.Look(1_000));
        _sut.Rest();
        Assert.Null(_sut.Look(2_000));
    }

    [Fact]
    public void A_thread_that_rests_between_rounds_keeps_nothing_waiting()
    {
        _sut.Begin();
        _sut.Rest();
        Assert.Equal(0, _sut.Look(1_000));
        Assert.Null(_sut.Look(2_000)); // it still rests
        _sut.Begin();
        _sut.Rest();
        _sut.Begin();
        Assert.Equal(0, _sut.Look(3_000));
    }

    [Fact]
    public void Rounds_without_a_rest_take_their_part_of_the_time()
    {
        _sut.Begin();
        _sut.Look(1_000);
        for (int round = 0; round < 4; round++) _sut.Begin();
        Assert.Equal(2_000, _sut.Look(9_000));
    }

    [Fact]
    public void A_round_that_does_not_end_takes_longer_with_every_look()
    {
        _sut.Begin();
        _sut.Look(1_000);
        Assert.Equal(4_000, _sut.Look(5_000));
        Assert.Equal(9_000, _sut.Look(10_000));
        _sut.Begin();
        Assert.Equal(10_000, _sut.Look(11_000));
        Assert.Equal(1_000, _sut.Look(12_000));
    }
}
