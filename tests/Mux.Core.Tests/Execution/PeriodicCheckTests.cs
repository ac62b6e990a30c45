using Mux.Runtime;

namespace Mux.Core.Tests.Execution;

public sealed class PeriodicCheckTests
{
    private readonly Queue<Action> _started = [];
    private readonly PeriodicChecks _sut;
    private int _checked;

    public PeriodicCheckTests() => _sut = new PeriodicChecks(_started.Enqueue);

    [Fact]
    public void Checks_run_once_a_second_however_often_the_monitor_looks()
    {
        _sut.Add(() => _checked++);

        Assert.Equal(1, RunsAt(5_000));
        Assert.Equal(0, RunsAt(5_001));
        Assert.Equal(0, RunsAt(5_999));
        Assert.Equal(1, RunsAt(6_000));
        Assert.Equal(2, _checked);
    }

    [Fact]
    public void A_check_that_blocks_is_not_started_again_before_it_is_over()
    {
        _sut.Add(() => _checked++);

        _sut.OnTick(5_000);
        _sut.OnTick(6_000);
        _sut.OnTick(60_000);

        Assert.Equal(0, _checked); // on no account on the monitor's thread
        Assert.Equal(1, RunsAt(60_001));
        Assert.Equal(1, RunsAt(60_002));
    }

    [Fact]
    public void Checks_run_again_after_one_has_thrown()
    {
        _sut.Add(() => throw new InvalidOperationException());

        _sut.OnTick(5_000);
        Assert.Throws<InvalidOperationException>(_started.Dequeue());

        _sut.OnTick(6_000);
        Assert.Single(_started);
    }

    [Fact]
    public void A_check_that_is_removed_runs_no_more()
    {
        int removed = 0;
        Action check = () => removed++;
        _sut.Add(check);
        _sut.Add(() => _checked++);
        _sut.Remove(check);

        Assert.Equal(1, RunsAt(5_000));

        Assert.Equal((0, 1), (removed, _checked));
    }

    [Fact]
    public void Without_checks_nothing_is_started() => Assert.Equal(0, RunsAt(5_000));

    /// <summary>Lets the monitor look, and then runs what has been started.</summary>
    /// <returns>Number of runs.</returns>
    private int RunsAt(long now)
    {
        _sut.OnTick(now);
        int runs = _started.Count;
        while (_started.TryDequeue(out var run)) run();
        return runs;
    }
}
