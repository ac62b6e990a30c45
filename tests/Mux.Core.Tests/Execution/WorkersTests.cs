using Mux.Execution;
using Mux.TestSupport.Transports;

namespace Mux.Core.Tests.Execution;

/// <summary>As many threads as work needs, and no more than there may be.</summary>
public sealed class WorkersTests : IDisposable
{
    private static readonly AsyncLocal<string?> s_local = new();
    private readonly Signal _end = new("the end of the blocking items");
    private readonly Counter _started = new("started items");
    private readonly Owner _owner = new();
    private readonly Workers _sut = new(WorkerKind.Handlers, maxThreads: 32);

    public void Dispose() => _end.Set();

    [Fact]
    public async Task Items_run_each_once()
    {
        var ran = new Counter("items that ran");
        for (int i = 0; i < 10_000; i++) _sut.Add(Item(() => ran.Add()));
        await ran.ReachAsync(10_000);
        Assert.Equal(10_000, ran.Count);
    }

    [Fact]
    public async Task For_each_item_that_blocks_there_is_a_further_thread()
    {
        const int Blocking = 20;
        for (int i = 0; i < Blocking; i++) _sut.Add(Blocker());
        TickUntil(() => _started.Count == Blocking, "threads in the place of those that block");
        var ran = new Signal("the item behind those that block");
        _sut.Add(Item(ran.Set));
        TickUntil(() => ran.IsSet, "the item after those that block");
        await ran.WaitAsync();
    }

    [Fact]
    public async Task Threads_grow_to_thousands_while_items_block()
    {
        const int Blocking = 1_200;
        var sut = new Workers(WorkerKind.Handlers, maxThreads: 2_000);
        for (int i = 0; i < Blocking; i++) sut.Add(Blocker());
        TickUntil(sut, () => _started.Count == Blocking, "1,200 threads");
        _end.Set();
        await _started.ReachAsync(Blocking);
    }

    [Fact]
    public async Task There_are_never_more_threads_than_there_may_be()
    {
        for (int i = 0; i < 100; i++) _sut.Add(Blocker());
        TickUntil(() => _started.Count == 32, "all threads to block");
        Tick(times: 10);
        Assert.Equal((32, 68), (_sut.Threads, _sut.Waiting));
        var urgent = new Signal("the urgent item that waited for a thread");
        Assert.False(_sut.TryRun(Item(urgent.Set), waits: true));
        Assert.Equal(32, _sut.Threads);
        _end.Set();
        await urgent.WaitAsync();
        await _started.ReachAsync(100);
    }

    [Fact]
    public void Work_that_can_be_refused_is_when_too_much_waits()
    {
        var sut = new Workers(WorkerKind.Handlers, maxThreads: 100_000);
        for (int i = 0; i < 8; i++) sut.Add(Blocker());
        TickUntil(sut, () => _started.Count == 8, "the first threads to block");
        while (sut.Waiting < Workers.MaxWaiting) Assert.True(sut.TryAdd(Blocker(), 0));
        Assert.False(sut.TryAdd(Blocker(), 0));
        Assert.Equal(1, sut.Refused);
        sut.Add(Blocker()); // what cannot be refused is not
    }

    [Fact]
    public void Once_there_may_be_no_more_threads_one_item_waits_for_each()
    {
        for (int i = 0; i < 32; i++) _sut.Add(Blocker());
        TickUntil(() => _started.Count == 32, "all threads to block");
        for (int i = 0; i < 32; i++) Assert.True(_sut.TryAdd(Blocker(), 0));
        Assert.False(_sut.TryAdd(Blocker(), 0));
        Assert.Equal((32, 1L), (_sut.Waiting, _sut.Refused));
    }

    [Fact]
    public async Task A_burst_that_came_before_the_threads_is_refused_down_to_one_item_for_each_when_nothing_moves()
    {
        var refused = new Counter("refused items");
        for (int i = 0; i < 32 + 32 + 50; i++) _sut.Add(Blocker(onRefuse: () => refused.Add()));
        TickUntil(() => _started.Count == 32, "all threads to block");
        Tick(times: 900);
        Assert.Equal((82, 0), (_sut.Waiting, (int)refused.Count));
        _sut.OnTick(Environment.TickCount64 + 2_500);
        await refused.ReachAsync(50);
        Assert.Equal((32, 50L), (_sut.Waiting, _sut.Refused));
    }

    [Fact]
    public void The_queue_is_bounded_in_bytes_as_well()
    {
        for (int i = 0; i < 32; i++) Assert.True(_sut.TryRun(Blocker(), waits: true));
        Assert.True(_sut.TryAdd(Blocker(), (int)Workers.MaxWaitingBytes));
        Assert.False(_sut.TryAdd(Blocker(), 1));
        Assert.True(_sut.TryAdd(Blocker(), 0));
    }

    [Fact]
    public async Task Items_whose_calls_are_over_leave_the_queue_although_nothing_moves()
    {
        for (int i = 0; i < 32; i++) _sut.Add(Blocker());
        TickUntil(() => _started.Count == 32, "all threads to block");
        var (first, abandoned, last) = (new Signal("the first of those that wait"), new Signal("the end of the abandoned call"), new Signal("the last"));
        _sut.Add(Item(first.Set));
        _sut.Add(new Work(() => Assert.Fail("It was abandoned.")) { Owner = _owner, IsAbandoned = true, OnAbandon = abandoned.Set });
        _sut.Add(Item(last.Set));
        TickUntil(() => _sut.Waiting == 2, "the abandoned item to leave");
        await abandoned.WaitAsync();
        Assert.False(first.IsSet || last.IsSet);
        _end.Set();
        await first.WaitAsync();
        await last.WaitAsync();
    }

    [Fact]
    public async Task Completions_that_find_all_threads_blocked_are_run_by_the_thread_pool()
    {
        var sut = new Workers(WorkerKind.Completions, maxThreads: 8);
        for (int i = 0; i < 8; i++) sut.Add(Blocker());
        TickUntil(sut, () => _started.Count == 8, "all threads to block");
        var completed = new Signal("the completion behind eight that block");
        sut.Add(Item(completed.Set));
        TickUntil(sut, () => completed.IsSet, "the thread pool");
        await completed.WaitAsync();
    }

    [Fact]
    public async Task A_stall_is_told_with_the_code_that_blocks_to_the_owner_of_what_waits()
    {
        for (int i = 0; i < 31; i++) _sut.Add(Blocker("shop.Orders/Find"));
        _sut.Add(Blocker("shop.Stock/Count"));
        TickUntil(() => _started.Count == 32, "all threads to block");
        _sut.Add(Item(() => { }));
        long now = Environment.TickCount64;
        _sut.OnTick(now + 10);
        _sut.OnTick(now + 500);
        _sut.OnTick(now + 1_009);
        Assert.Empty(_owner.Stalls);
        _sut.OnTick(now + 1_100);
        await _owner.Told.ReachAsync(1);
        var stall = _owner.Stalls.Single();
        Assert.Equal((WorkerKind.Handlers, 1, 32, 32), (stall.Kind, stall.Waiting, stall.Threads, stall.MaxThreads));
        Assert.Equal("shop.Orders/Find (31 threads), shop.Stock/Count (1 thread)", stall.DescribeRunning());
    }

    [Fact]
    public async Task Items_that_compute_are_not_taken_for_stuck()
    {
        Assert.SkipUnless(ThreadUsage.IsKnown, "Only Linux tells.");
        int most = Math.Max(8, 2 * Environment.ProcessorCount);
        bool runs = true;
        int computing = 0;
        for (int i = 0; i < 30; i++)
        {
            _sut.Add(Item(() =>
            {
                _started.Add(); // may wait for its lock, which must not be seen
                Interlocked.Increment(ref computing);
                while (Volatile.Read(ref runs)) { }
            }));
        }

        await _started.ReachAsync(most);
        Assert.True(SpinWait.SpinUntil(() => Volatile.Read(ref computing) == most, Awaited.Patience), "Waited for all threads to compute.");
        Tick(times: 100);
        Assert.Equal(most, _sut.Threads);
        Volatile.Write(ref runs, false);
        await _started.ReachAsync(30);
    }

    [Fact]
    public async Task What_an_item_leaves_on_the_thread_is_not_seen_by_the_next()
    {
        var sut = new Workers(WorkerKind.Handlers, maxThreads: 1); // the same thread
        var seen = new TaskCompletionSource<(string?, SynchronizationContext?, string?, ThreadPriority, bool)>(TaskCreationOptions.RunContinuationsAsynchronously);
        sut.Add(Item(() =>
        {
            s_local.Value = "of the first item";
            SynchronizationContext.SetSynchronizationContext(new SynchronizationContext());
            (Thread.CurrentThread.Name, Thread.CurrentThread.Priority, Thread.CurrentThread.IsBackground) = ("of the first item", ThreadPriority.Lowest, false);
        }));
        sut.Add(Item(() => seen.SetResult((s_local.Value, SynchronizationContext.Current, Thread.CurrentThread.Name, Thread.CurrentThread.Priority, Thread.CurrentThread.IsBackground))));
        Assert.Equal((null, null, "Mux handler", ThreadPriority.Normal, true), await seen.Task.Within("the second item"));
    }

    private void TickUntil(Func<bool> condition, string what) => TickUntil(_sut, condition, what);

    private static void TickUntil(Workers sut, Func<bool> condition, string what) => Assert.True(SpinWait.SpinUntil(
        () =>
        {
            sut.OnTick(Environment.TickCount64);
            return condition();
        },
        Awaited.Patience),
        $"Waited for {what}.");

    /// <summary>Looks that come a millisecond apart.</summary>
    private void Tick(int times)
    {
        long now = Environment.TickCount64;
        for (int tick = 0; tick < times; tick++) _sut.OnTick(now + tick);
    }

    private Work Item(Action action) => new(action) { Owner = _owner };

    private Work Blocker(string name = "blocking code", Action? onRefuse = null) => new(() =>
    {
        _started.Add();
        _end.Wait();
    })
    {
        Owner = _owner,
        Name = name,
        OnRefuse = onRefuse,
    };

    private sealed class Owner : IWorkOwner
    {
        public Counter Told { get; } = new("stalls that were told");

        public List<WorkStall> Stalls { get; } = [];

        public void OnStalled(WorkStall stall)
        {
            Stalls.Add(stall);
            Told.Add();
        }
    }

    private sealed class Work(Action action) : IWork
    {
        public string Name { get; init; } = "a test";

        public required IWorkOwner Owner { get; init; }

        public bool IsAbandoned { get; init; }

        public Action? OnAbandon { get; init; }

        public Action? OnRefuse { get; init; }

        public void Execute() => action();

        public void Abandon() => OnAbandon!();

        public void Refuse() => OnRefuse!();
    }
}
