using Mux.Execution;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Core.Tests.Execution;

public sealed class PeriodicCheckTests
{
    private readonly PeriodicChecks _sut = new();
    private readonly Counter _checked = new("checks");

    [Fact]
    public async Task Checks_run_once_a_second_however_often_the_monitor_looks()
    {
        _sut.Add(() => _checked.Add());
        _sut.OnTick(5_000);
        await _checked.ReachAsync(1);
        _sut.OnTick(5_999);
        Assert.Equal(1, _checked.Count);
        await Eventually.Holds(RunsAgain(6_000), "the second check");
    }

    [Fact]
    public async Task A_check_that_is_removed_runs_no_more()
    {
        var removed = new Counter("checks that were removed");
        Action check = () => removed.Add();
        _sut.Add(check);
        _sut.Add(() => _checked.Add());
        _sut.Remove(check);
        _sut.OnTick(5_000);
        await _checked.ReachAsync(1);
        Assert.Equal(0, removed.Count);
    }

    /// <summary>Ticks until the last run is over, of which the check itself knows nothing.</summary>
    private Func<bool> RunsAgain(long now) => () =>
    {
        _sut.OnTick(now);
        return _checked.Count == 2;
    };
}
