using Mux.Engine;
using Mux.Runtime;

namespace Mux.Core.Tests.Budgets;

public sealed class BacklogAgeTests
{
    private readonly BacklogAge _sut = new();

    [Fact]
    public void Nothing_waits_before_a_byte_does_and_after_all_are_sent()
    {
        Assert.Equal(Clock.Never, _sut.Since);
        _sut.OnTaken(10, 500, 100);
        Assert.Equal(10, _sut.Since);
        _sut.Clear();
        Assert.Equal(Clock.Never, _sut.Since);
        _sut.OnTaken(30, 0, 100);
        Assert.Equal(30, _sut.Since);
    }

    [Fact]
    public void Bytes_taken_now_and_then_make_the_time_no_shorter_until_they_are_as_many_as_waited()
    {
        _sut.OnTaken(10, 0, 100);
        for (int i = 1; i <= 9; i++) _sut.OnTaken(10 + i, 10, 100);
        Assert.Equal(10, _sut.Since);
        _sut.OnTaken(20, 10, 100); // all of the first; those that came meanwhile have waited since then
        Assert.Equal(10, _sut.Since);
        _sut.OnTaken(30, 99, 100);
        Assert.Equal(10, _sut.Since);
        _sut.OnTaken(40, 1, 100);
        Assert.Equal(20, _sut.Since);
    }

    [Fact]
    public void Bytes_that_were_dropped_need_not_be_taken()
    {
        _sut.OnTaken(10, 0, 100);
        _sut.OnTaken(20, 0, 5);
        _sut.OnTaken(30, 5, 100);
        _sut.OnTaken(40, 100, 100);
        Assert.Equal(30, _sut.Since);
    }
}
