using Mux.Engine;
using Mux.TestSupport.Transports;

namespace Mux.Core.Tests.Overload;

public sealed class QueueTimeTests
{
    private readonly QueueTime _sut = new();

    [Fact]
    public void A_window_ends_after_100_ms_with_the_least_of_its_looks()
    {
        Assert.Equal(0, _sut.Add(0, 9_000));
        Assert.Equal(0, _sut.Add(50_000, 3_000));
        Assert.Equal(0, _sut.Add(99_999, 8_000));
        Assert.Equal(1, _sut.Add(100_000, 7_000));

        Assert.Equal(3_000, _sut.Least);
    }

    [Fact]
    public void A_window_forgets_the_one_before_it()
    {
        _sut.Add(0, 0);
        _sut.Add(100_000, 4_000);
        _sut.Add(150_000, 6_000);
        _sut.Add(200_000, 5_000);

        Assert.Equal(5_000, _sut.Least);
    }

    [Fact]
    public void A_rest_counts_as_many_windows_as_it_lasted()
    {
        _sut.Add(0, 0);
        Assert.Equal(50, _sut.Add(5_000_000, 0));
        Assert.Equal(0, _sut.Least);
    }

    [Fact]
    public void Looks_that_come_late_while_work_waits_are_no_rest()
    {
        _sut.Add(0, 9_000);
        Assert.Equal(1, _sut.Add(5_000_000, 4_000_000));
        Assert.Equal(9_000, _sut.Least);
    }

    [Fact]
    public void Whatever_the_looks_the_least_is_one_of_the_window()
    {
        var random = new Random(TestSeed.Next());
        long now = 0;
        var seen = new List<long>();
        for (int look = 0; look < 10_000; look++)
        {
            now += random.Next(1, 20_000);
            seen.Add(random.Next(100_000));
            if (_sut.Add(now, seen[^1]) == 0) continue;
            Assert.Equal(seen.Min(), _sut.Least);
            seen.Clear();
        }
    }
}
