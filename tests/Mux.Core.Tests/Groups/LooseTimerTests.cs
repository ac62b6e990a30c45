using Mux.Push;
using Mux.Runtime;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;

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

    [Fact]
    public void The_ticker_holds_it_only_while_a_time_is_decided()
    {
        var time = new ManualTime();
        var clock = new Clock(time);
        var ticker = Ticker.For(clock);
        int fired = 0;
        LooseTimer sut = null!;
        sut = new LooseTimer(clock, _gate, () =>
        {
            if (++fired == 1) Set(sut, clock.Now + 1_000_000); // what it runs may decide the next time
        });
        Assert.Equal(0, ticker.Count);
        Set(sut, clock.Now + 1_000_000);
        time.Advance(TimeSpan.FromSeconds(1.1));
        Assert.Equal((1, 1), (fired, ticker.Count));
        time.Advance(TimeSpan.FromSeconds(1.1));
        Assert.Equal((2, 0, 0), (fired, ticker.Count, time.ArmedTimers));
        Set(sut, clock.Now + 1_000_000);
        Assert.Equal(1, ticker.Count);
        time.Advance(TimeSpan.FromSeconds(1.1));
        Assert.Equal((3, 0, 0), (fired, ticker.Count, time.ArmedTimers));
    }

    [Fact]
    public async Task It_fires_each_time_although_it_is_set_while_another_thread_takes_it_out_of_the_ticker()
    {
        var clock = new Clock(new OwnTime());
        using var fired = new SemaphoreSlim(0);
        var sut = new LooseTimer(clock, _gate, () => fired.Release());
        for (int i = 0; i < 100; i++)
        {
            Set(sut, clock.Now);
            Assert.True(await fired.WaitAsync(TimeSpan.FromSeconds(20), TestContext.Current.CancellationToken), $"Time {i} did not come.");
        }

        await Eventually.Holds(() => Ticker.For(clock).Count == 0, "the ticker holds it no longer");
    }

    private void Set(LooseTimer timer, long due)
    {
        bool sets;
        lock (_gate) sets = timer.IsSetForLocked(due);
        if (sets) timer.Set();
    }

    /// <summary>The time of the machine, with a ticker of its own.</summary>
    private sealed class OwnTime : TimeProvider;
}
