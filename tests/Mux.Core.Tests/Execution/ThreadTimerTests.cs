using Mux.Runtime;
using Mux.TestSupport.Transports;

namespace Mux.Core.Tests.Execution;

/// <summary>A timer that fires although the thread pool is blocked.</summary>
public sealed class ThreadTimerTests
{
    private readonly Counter _fired = new("times that it fired");

    [Fact]
    public async Task It_fires_once_on_its_own_thread_and_again_when_it_is_changed()
    {
        string? name = null;
        using var sut = ThreadTimer.TryStart(
            TimeProvider.System,
            () =>
            {
                name = Thread.CurrentThread.Name;
                _fired.Add();
            },
            TimeSpan.FromMilliseconds(1));
        await _fired.ReachAsync(1);
        Assert.Equal("Mux timer", name);
        Assert.True(sut!.Change(TimeSpan.Zero, Timeout.InfiniteTimeSpan));
        await _fired.ReachAsync(2);
    }

    [Fact]
    public async Task A_time_that_is_set_to_never_does_not_come()
    {
        using var sut = ThreadTimer.TryStart(TimeProvider.System, () => _fired.Add(), TimeSpan.FromDays(40));
        Assert.True(sut!.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan));
        Assert.True(sut.Change(TimeSpan.FromMilliseconds(1), Timeout.InfiniteTimeSpan));
        await _fired.ReachAsync(1);
        Assert.Equal(1, _fired.Count);
    }

    [Fact]
    public async Task After_its_disposal_its_thread_ends_and_it_cannot_be_changed()
    {
        var thread = new TaskCompletionSource<Thread>(TaskCreationOptions.RunContinuationsAsynchronously);
        var sut = ThreadTimer.TryStart(TimeProvider.System, () => thread.TrySetResult(Thread.CurrentThread), TimeSpan.Zero)!;
        var own = await thread.Task.Within("the timer's thread");
        sut.Dispose();
        Assert.False(sut.Change(TimeSpan.Zero, Timeout.InfiniteTimeSpan));
        Assert.True(own.Join(Awaited.Patience), "Waited for the end of the timer's thread.");
    }

    [Fact]
    public async Task It_goes_on_after_its_thread_was_interrupted()
    {
        using var sut = ThreadTimer.TryStart(
            TimeProvider.System,
            () =>
            {
                _fired.Add();
                Thread.CurrentThread.Interrupt();
            },
            TimeSpan.Zero)!;
        for (int times = 1; times < 100; times++)
        {
            await _fired.ReachAsync(times);
            sut.Change(TimeSpan.Zero, Timeout.InfiniteTimeSpan);
        }

        await _fired.ReachAsync(100);
    }

    [Fact]
    public void Time_that_a_test_moves_has_no_thread() => Assert.Null(ThreadTimer.TryStart(new TestSupport.Time.ManualTime(), () => { }, TimeSpan.Zero));
}
