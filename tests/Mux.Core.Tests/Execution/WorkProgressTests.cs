using Mux.Runtime;

namespace Mux.Core.Tests.Execution;

/// <summary>When waiting work counts as stalled, and when it makes sense to come again.</summary>
public sealed class WorkProgressTests
{
    private readonly WorkProgress _sut = new();

    [Fact]
    public void Work_that_starts_is_no_stall_however_long_some_of_it_waits()
    {
        for (long now = 0; now < 10_000; now += 500) Assert.False(_sut.Look(now, started: now / 500, isWaiting: true));
    }

    [Fact]
    public void Work_that_does_not_start_for_a_second_is_told_once_a_second()
    {
        _sut.Look(0, 5, isWaiting: true);
        Assert.False(_sut.Look(999, 5, isWaiting: true));
        Assert.True(_sut.Look(1_000, 5, isWaiting: true));
        Assert.False(_sut.Look(1_999, 5, isWaiting: true));
        Assert.True(_sut.Look(2_000, 5, isWaiting: true));
        Assert.False(_sut.Look(2_500, 6, isWaiting: true));
        Assert.False(_sut.Look(3_400, 6, isWaiting: true));
    }

    [Fact]
    public void Work_that_does_not_start_for_half_a_second_wants_one_more_thread_at_a_time()
    {
        List<long> wanted = [];
        for (long now = 0; now < 1_000; now++)
        {
            _sut.Look(now, started: now / 700, isWaiting: true); // something starts at 700
            if (_sut.WantsCompany(now)) wanted.Add(now);
        }

        Assert.Equal([500, 600], wanted);
    }

    [Fact]
    public void Nothing_that_waits_is_no_stall()
    {
        Assert.False(_sut.Look(0, 5, isWaiting: false));
        Assert.False(_sut.Look(60_000, 5, isWaiting: false));
        Assert.False(_sut.Look(120_000, 5, isWaiting: true)); // the first look for a minute
        Assert.Equal(0, _sut.StandsFor);
        Assert.True(_sut.Look(121_000, 5, isWaiting: true));
    }

    [Fact]
    public void A_caller_is_to_come_again_when_what_waits_has_started_at_the_rate_of_now()
    {
        Assert.Equal(5_000, _sut.RetryAfter(100)); // nothing moves
        _sut.Look(10_000, 0, isWaiting: true);
        _sut.Look(10_250, 100, isWaiting: true);
        Assert.Equal(1_000, _sut.RetryAfter(400));
        Assert.Equal(20, _sut.RetryAfter(1));
        Assert.Equal(5_000, _sut.RetryAfter(1_000_000));
    }

    [Theory]
    [InlineData(8, 8, 8, 8)]
    [InlineData(0, 8, 8, 0)]
    [InlineData(8, 8, 1_000, 500)]
    [InlineData(0, 0, 0, 0)]
    public void The_share_of_a_sample_is_that_of_all_once_it_has_lasted(int stuck, int sampled, int busy, int expected)
    {
        var sut = new StuckShare();
        sut.Add(stuck, sampled, busy);
        Assert.Equal(expected, sut.Estimate);
    }
}
