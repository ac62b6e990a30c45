using Mux.Groups;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;
using Mux.Timing;

namespace Mux.Core.Tests.Groups;

/// <summary>The times at which calls that wait for a member expire.</summary>
public sealed class LooseTimerTests
{
    private readonly Lock _gate = new();

    [Fact]
    public async Task It_fires_without_a_thread_of_the_pool_which_code_of_users_may_block()
    {
        var fired = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        var clock = new Clock(TimeProvider.System);
        var sut = new LooseTimer(clock, _gate, () => fired.TrySetResult(Thread.CurrentThread.IsThreadPoolThread));
        Set(sut, clock.Now + 1_000);
        Assert.False(await fired.Task.Within("the timer"));
        sut.End();
    }

    [Fact]
    public void It_fires_at_the_earliest_time_that_was_decided_and_not_after_its_end()
    {
        var time = new ManualTime();
        var clock = new Clock(time);
        int fired = 0;
        var sut = new LooseTimer(clock, _gate, () => fired++);
        Set(sut, clock.Now + 2_000_000);
        Set(sut, clock.Now + 1_000_000);
        time.Advance(TimeSpan.FromSeconds(0.9));
        Assert.Equal(0, fired);
        time.Advance(TimeSpan.FromSeconds(0.2));
        Assert.Equal(1, fired);
        Set(sut, clock.Now + 1_000_000);
        sut.End();
        Set(sut, clock.Now + 1_000_000);
        time.Advance(TimeSpan.FromSeconds(5));
        Assert.Equal((1, 0, 0), (fired, time.ArmedTimers, Ticker.For(clock).Count));
    }

    private void Set(LooseTimer timer, long due)
    {
        bool sets;
        lock (_gate) sets = timer.IsSetForLocked(due);
        if (sets) timer.Set();
    }
}
