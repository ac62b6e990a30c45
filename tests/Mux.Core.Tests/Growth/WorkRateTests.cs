using Mux.Client;

namespace Mux.Core.Tests.Growth;

/// <summary>What connections have done per second.</summary>
public sealed class WorkRateTests
{
    private const long Look = PoolGrowth.LookTime;

    private readonly WorkRate _sut = new();
    private long _now;
    private long _work;

    [Fact]
    public void The_rate_is_that_of_the_last_second()
    {
        Assert.Equal(0, _sut.PerSecond);
        See(looks: 1, work: 500);
        Assert.Equal(0, _sut.PerSecond);
        See(looks: 30, work: 500);
        Assert.Equal(5_000, _sut.PerSecond, tolerance: 0.001);
        See(looks: 5, work: 0);
        Assert.Equal(2_500, _sut.PerSecond, tolerance: 0.001);
        See(looks: 5, work: 0);
        Assert.Equal(0, _sut.PerSecond);
    }

    [Fact]
    public void It_begins_anew_when_a_connection_is_gone_with_its_work()
    {
        See(looks: 10, work: 500);
        _work = 100;
        See(looks: 1, work: 0);
        Assert.Equal(0, _sut.PerSecond);
        See(looks: 3, work: 20);
        Assert.Equal(200, _sut.PerSecond, tolerance: 0.001);
    }

    [Fact]
    public void Looks_on_request_do_not_shorten_what_is_known_to_less_than_their_time()
    {
        for (int i = 0; i < 100; i++) _sut.Add(_now += Look / 50, _work += 10);
        Assert.Equal(5_000, _sut.PerSecond, tolerance: 0.001);
    }

    private void See(int looks, long work)
    {
        for (int i = 0; i < looks; i++) _sut.Add(_now += Look, _work += work);
    }
}
