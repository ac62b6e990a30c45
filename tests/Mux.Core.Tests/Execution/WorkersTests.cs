using Mux.Execution;
using Mux.TestSupport.Transports;

namespace Mux.Core.Tests.Execution;

/// <summary>As many threads as work needs, and no more than there may be.</summary>
public sealed class WorkersTests
{
    private static readonly AsyncLocal<string?> s_local = new();
    private readonly Signal _end = new("the end of the blocking items");
    private readonly Counter _started = new("started items");
    private readonly Workers _sut = new(maxThreads: 32);

    [Fact]
    public async Task Items_run_each_once()
    {
        var ran = new Counter("items that ran");
        for (int i = 0; i < 10_000; i++) _sut.Add(new Item(() => ran.Add()));
        await ran.ReachAsync(10_000);
        Assert.Equal(10_000, ran.Count);
    }

    [Fact]
    public async Task For_each_item_that_blocks_there_is_a_further_thread()
    {
        const int Blocking = 20;
        for (int i = 0; i < Blocking; i++) _sut.Add(Blocker());
        Assert.True(SpinWait.SpinUntil(() => _sut.OnTick() || _started.Count == Blocking, Awaited.Patience));
        Assert.True(SpinWait.SpinUntil(() => !_sut.OnTick() && _started.Count == Blocking, Awaited.Patience), "Waited for threads in the place of those that block.");
        var ran = new Signal("the item behind those that block");
        _sut.Add(new Item(ran.Set));
        Assert.True(SpinWait.SpinUntil(() => !_sut.OnTick(), Awaited.Patience));
        await ran.WaitAsync();
        _end.Set();
    }

    [Fact]
    public async Task There_are_never_more_threads_than_there_may_be_and_an_eighth_is_kept_for_what_is_urgent()
    {
        for (int i = 0; i < 100; i++) _sut.Add(Blocker());
        Assert.True(SpinWait.SpinUntil(() => _sut.OnTick() && _started.Count == 28, Awaited.Patience), "Waited for all threads of ordinary work to block.");
        for (int tick = 0; tick < 10; tick++) _sut.OnTick();
        Assert.Equal((28, 72), (_sut.Threads, _sut.Waiting));
        for (int i = 0; i < 4; i++) Assert.True(_sut.RunUrgently(Blocker()));
        var urgent = new Signal("the urgent item that waited for a thread");
        Assert.False(_sut.RunUrgently(new Item(urgent.Set)));
        Assert.Equal(32, _sut.Threads);
        _end.Set();
        await urgent.WaitAsync();
        await _started.ReachAsync(104);
    }

    [Fact]
    public void Work_that_can_be_refused_is_when_too_much_waits()
    {
        for (int i = 0; i < 32; i++) Assert.True(_sut.RunUrgently(Blocker()));
        for (int i = 0; i < Workers.MaxWaiting; i++) Assert.True(_sut.TryAdd(new Item(() => { }), 0));
        Assert.False(_sut.TryAdd(new Item(() => { }), 0));
        Assert.Equal(1, _sut.Refused);
        _end.Set();
    }

    [Fact]
    public void The_queue_is_bounded_in_bytes_as_well()
    {
        for (int i = 0; i < 32; i++) Assert.True(_sut.RunUrgently(Blocker()));
        const int Large = 64 * 1024;
        for (long bytes = 0; bytes < Workers.MaxWaitingBytes; bytes += Large) Assert.True(_sut.TryAdd(new Item(() => { }), Large));
        Assert.False(_sut.TryAdd(new Item(() => { }), 1));
        _sut.Add(new Item(() => { })); // what cannot be refused is not
        _end.Set();
    }

    [Fact]
    public async Task Items_that_compute_are_not_taken_for_stuck()
    {
        Assert.SkipUnless(ThreadUsage.IsKnown, "Only Linux tells.");
        int most = Math.Max(8, 2 * Environment.ProcessorCount);
        bool goOn = true;
        int computing = 0;
        for (int i = 0; i < 30; i++)
        {
            _sut.Add(new Item(() =>
            {
                _started.Add(); // may wait for its lock, which must not be seen
                Interlocked.Increment(ref computing);
                while (Volatile.Read(ref goOn)) { }
            }));
        }

        await _started.ReachAsync(most);
        Assert.True(SpinWait.SpinUntil(() => Volatile.Read(ref computing) == most, Awaited.Patience), "Waited for all threads to compute.");
        for (int tick = 0; tick < 100; tick++) _sut.OnTick();
        Assert.Equal(most, _sut.Threads);
        Volatile.Write(ref goOn, false);
        await _started.ReachAsync(30);
    }

    [Fact]
    public async Task What_an_item_leaves_on_the_thread_is_not_seen_by_the_next()
    {
        var sut = new Workers(maxThreads: 2); // one of which is kept: the same thread
        var seen = new TaskCompletionSource<(string?, SynchronizationContext?)>(TaskCreationOptions.RunContinuationsAsynchronously);
        sut.Add(new Item(() =>
        {
            s_local.Value = "of the first item";
            SynchronizationContext.SetSynchronizationContext(new SynchronizationContext());
        }));
        sut.Add(new Item(() => seen.SetResult((s_local.Value, SynchronizationContext.Current))));
        Assert.Equal((null, null), await seen.Task.Within("the second item"));
    }

    private Item Blocker() => new(() =>
    {
        _started.Add();
        _end.Wait();
    });

    private sealed class Item(Action action) : IThreadPoolWorkItem
    {
        public void Execute() => action();
    }
}
