using Mux.Runtime;
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
    public async Task Threads_grow_to_thousands_within_a_second_of_looks_while_items_block()
    {
        const int Blocking = 1_200;
        const int Pause = 10; // milliseconds from one look to the next
        var sut = new Workers(WorkerKind.Handlers, maxThreads: 2_000);
        for (int i = 0; i < Blocking; i++) sut.Add(Blocker());
        long now = Environment.TickCount64;
        int looks = 0;

        // A look counts only threads that block: none is taken before all threads so far have an item, however slow the machine is.
        TickUntil(
            () =>
            {
                if (_started.Count < sut.Threads) return;
                sut.OnTick(now = Math.Max(now, Environment.TickCount64) + Pause);
                looks++;
            },
            () => _started.Count == Blocking,
            "1,200 threads",
            10 * Awaited.Patience);
        Assert.InRange(looks, 1, 1_000 / Pause);
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
        long now = Environment.TickCount64; // from here on the test's: what a loaded machine takes is no time in which nothing moves
        TickUntil(
            () =>
            {
                if (_started.Count == _sut.Threads) _sut.OnTick(now += 10);
            },
            () => _started.Count == 32,
            "all threads to block");
        for (int tick = 1; tick <= 900; tick++) _sut.OnTick(now + tick);
        Assert.Equal((82, 0), (_sut.Waiting, (int)refused.Count));
        _sut.OnTick(now + 2_500);
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
        _sut.Add(new Work(() => Assert.Fail("It was abandoned.")) { Owner = _owner, IsOver = _ => true, OnAbandon = abandoned.Set });
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
    public void Where_the_system_gives_no_more_threads_requests_are_refused_as_if_there_may_be_no_more()
    {
        var sut = new Workers(WorkerKind.Handlers, maxThreads: 1_000, StartAtMost(4));
        for (int i = 0; i < 4; i++) sut.Add(Blocker());
        TickUntil(sut, () => _started.Count == 4, "the threads that the system gives to block");
        sut.Add(Blocker()); // finds no thread
        TickUntil(sut, () => !sut.TryAdd(Blocker(), 0), "the first refused request");
        Assert.Equal(4, sut.Threads);
        Assert.InRange(sut.Waiting, 1, Workers.MaxWaiting - 1);
    }

    [Fact]
    public async Task Where_the_system_gives_no_more_threads_a_burst_is_refused_when_nothing_moves()
    {
        int kept = Math.Max(8, 2 * Environment.ProcessorCount);
        var refused = new Counter("refused items");
        var sut = new Workers(WorkerKind.Handlers, maxThreads: 1_000, StartAtMost(4));
        for (int i = 0; i < 4 + kept + 30; i++) sut.Add(Blocker(onRefuse: () => refused.Add()));
        TickUntil(sut, () => _started.Count == 4, "the threads that the system gives to block");
        TickUntil(sut, () => sut.Refused > 0, "a burst to be refused");
        await refused.ReachAsync(30);
        Assert.Equal((kept, 30L), (sut.Waiting, sut.Refused));
    }

    [Fact]
    public async Task Completions_run_on_the_thread_pool_where_the_system_gives_no_thread()
    {
        var sut = new Workers(WorkerKind.Completions, maxThreads: 1_000, StartAtMost(0));
        var completed = new Signal("the completion");
        sut.Add(Item(completed.Set));
        TickUntil(sut, () => completed.IsSet, "the thread pool");
        await completed.WaitAsync();
    }

    [Fact]
    public async Task Threads_grow_again_when_the_system_gives_more()
    {
        int given = 0;
        var sut = new Workers(WorkerKind.Handlers, maxThreads: 1_000, (run, name) => Volatile.Read(ref given) > 0 && EngineThread.TryStart(run, name));
        var ran = new Signal("the item");
        sut.Add(Item(ran.Set));
        Assert.True(sut.IsShort);
        Assert.False(sut.TryRun(Item(() => { }), waits: true));
        Volatile.Write(ref given, 1);
        TickUntil(sut, () => ran.IsSet, "a thread for what waits");
        await ran.WaitAsync();
        Assert.False(sut.IsShort);
    }

    [Fact]
    public async Task An_urgent_item_that_found_no_thread_runs_when_the_system_gives_one()
    {
        int given = 0;
        var sut = new Workers(WorkerKind.Leaders, maxThreads: 1_000, (run, name) => Volatile.Read(ref given) > 0 && EngineThread.TryStart(run, name));
        var ran = new Signal("the urgent item");
        Assert.False(sut.TryRun(Item(ran.Set), waits: true));
        Volatile.Write(ref given, 1);
        TickUntil(sut, () => ran.IsSet, "a thread for the urgent item");
        await ran.WaitAsync();
    }

    [Fact]
    public async Task A_stall_is_told_on_the_thread_pool_where_no_thread_for_it_starts()
    {
        var sut = new Workers(WorkerKind.Handlers, maxThreads: 8, (run, name) => name != "Mux log" && EngineThread.TryStart(run, name));
        Stall(sut);
        await _owner.Told.ReachAsync(1);
    }

    [Fact]
    public void Threads_that_get_no_processor_are_no_stall_because_no_code_blocks_them()
    {
        var processor = new Signal("the processor");
        int logs = 0;
        var sut = new Workers(WorkerKind.Handlers, maxThreads: 8, (run, name) =>
        {
            if (name == "Mux log") logs++;
            return EngineThread.TryStart(
                () =>
                {
                    processor.Wait();
                    run();
                },
                name);
        });
        sut.Add(Item(() => _started.Add()));
        long now = Environment.TickCount64;
        for (int look = 1; look <= 30; look++) sut.OnTick(now + (look * 100));
        Assert.Equal((0, 1), (logs, sut.Waiting));
        processor.Set();
        TickUntil(sut, () => _started.Count == 1, "the item to run");
    }

    [Fact]
    public async Task A_log_that_blocks_is_told_of_no_further_stall_until_it_returns()
    {
        var (isTold, endOfLog) = (new Signal("the first stall to be told"), new Signal("the end of the log that blocks"));
        var logs = new Counter("threads for logs");
        var sut = new Workers(WorkerKind.Handlers, maxThreads: 8, (run, name) =>
        {
            if (name == "Mux log") logs.Add();
            return EngineThread.TryStart(run, name);
        });
        _owner.OnTold = () =>
        {
            isTold.Set();
            endOfLog.Wait();
            throw new InvalidOperationException("A log that throws harms nothing.");
        };
        long now = Stall(sut);
        await isTold.WaitAsync();
        for (int second = 1; second <= 5; second++) sut.OnTick(now + (second * 1_100));
        Assert.Equal(1, logs.Count);
        _owner.OnTold = null;
        endOfLog.Set();
        now += 10_000;
        TickUntil(() => sut.OnTick(now += 1_100), () => _owner.Told.Count >= 2, "the next stall to be told");
    }

    [Fact]
    public async Task A_stalled_queue_whose_last_items_are_abandoned_tells_nothing()
    {
        bool isOver = false;
        var abandoned = new Signal("the end of the abandoned call");
        for (int i = 0; i < 32; i++) _sut.Add(Blocker());
        TickUntil(() => _started.Count == 32, "all threads to block");
        _sut.Add(new Work(() => Assert.Fail("It was abandoned.")) { Owner = _owner, IsOver = _ => isOver, OnAbandon = abandoned.Set });
        long now = Environment.TickCount64;
        _sut.OnTick(now + 10);
        isOver = true;
        Assert.False(_sut.OnTick(now + 1_100));
        await abandoned.WaitAsync();
        Assert.Empty(_owner.Stalls);
    }

    [Fact]
    public void A_clock_of_the_user_is_read_under_no_lock()
    {
        var clock = new LockChecking(_sut);
        for (int i = 0; i < 32; i++) _sut.Add(Blocker());
        TickUntil(() => _started.Count == 32, "all threads to block");
        for (int i = 0; i < 3; i++) _sut.Add(new Work(() => { }) { Owner = _owner, Clock = clock, IsOver = now => now == LockChecking.Time, OnAbandon = () => { } });
        long looked = Environment.TickCount64;
        TickUntil(() => _sut.OnTick(looked += 10), () => _sut.Waiting == 0, "the abandoned items to leave");
        Assert.InRange(clock.Reads, 1, 3); // once per look
        Assert.False(clock.WasLocked);
    }

    [Fact]
    public async Task Items_that_compute_are_not_taken_for_stuck()
    {
        Assert.SkipUnless(ThreadUsage.IsKnown, "Only Linux tells.");
        int most = Math.Max(8, 2 * Environment.ProcessorCount);
        int threads = most;
        for (int attempt = 0; attempt < 20; attempt++)
        {
            int collections = GC.CollectionCount(0);
            threads = await CountThreadsThatComputeAsync(most);
            if (threads == most || collections == GC.CollectionCount(0)) break; // a collection, of tests beside this one, stops them: then they do wait
        }

        Assert.Equal(most, threads);
    }

    [Fact]
    public async Task Items_that_compute_for_ever_do_not_hold_up_what_waits()
    {
        int computing = Math.Max(8, 2 * Environment.ProcessorCount) + 2;
        bool runs = true;
        for (int i = 0; i < computing; i++)
        {
            _sut.Add(Item(() =>
            {
                _started.Add();
                while (Volatile.Read(ref runs)) Thread.Yield();
            }));
        }

        var ran = new Signal("the item behind those that compute");
        _sut.Add(Item(ran.Set));
        long now = Environment.TickCount64;
        TickUntil(() => _sut.OnTick(now += 10), () => ran.IsSet, "a thread beside those that compute");
        await ran.WaitAsync();
        Assert.Equal(computing, _started.Count);
        Volatile.Write(ref runs, false);
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

    private async Task<int> CountThreadsThatComputeAsync(int most)
    {
        var sut = new Workers(WorkerKind.Handlers, maxThreads: 32);
        var started = new Counter("items that compute");
        bool runs = true;
        int computing = 0;
        for (int i = 0; i < 30; i++)
        {
            sut.Add(Item(() =>
            {
                started.Add(); // may wait for its lock, which must not be seen
                Interlocked.Increment(ref computing);
                while (Volatile.Read(ref runs)) { }
            }));
        }

        await started.ReachAsync(most);
        Assert.True(SpinWait.SpinUntil(() => Volatile.Read(ref computing) == most, Awaited.Patience), "Waited for all threads to compute.");
        long now = Environment.TickCount64;
        for (int tick = 0; tick < 100; tick++) sut.OnTick(now + tick);
        int threads = sut.Threads;
        Volatile.Write(ref runs, false);
        await started.ReachAsync(30);
        return threads;
    }

    private void TickUntil(Func<bool> condition, string what) => TickUntil(_sut, condition, what);

    private static void TickUntil(Workers sut, Func<bool> condition, string what, TimeSpan? patience = null) =>
        TickUntil(() => sut.OnTick(Environment.TickCount64), condition, what, patience);

    private static void TickUntil(Action tick, Func<bool> condition, string what, TimeSpan? patience = null) => Assert.True(SpinWait.SpinUntil(
        () =>
        {
            tick();
            return condition();
        },
        patience ?? Awaited.Patience),
        $"Waited for {what}.");

    /// <summary>Looks that come a millisecond apart.</summary>
    private void Tick(int times)
    {
        long now = Environment.TickCount64;
        for (int tick = 0; tick < times; tick++) _sut.OnTick(now + tick);
    }

    /// <summary>A system that gives no more threads than these to work.</summary>
    private static ThreadStarter StartAtMost(int threads)
    {
        int started = 0;
        return (run, name) => (name == "Mux log" || Interlocked.Increment(ref started) <= threads) && EngineThread.TryStart(run, name);
    }

    /// <summary>Blocks all eight threads and lets an item wait for more than a second.</summary>
    /// <returns>The time of the last look.</returns>
    private long Stall(Workers sut)
    {
        for (int i = 0; i < 8; i++) sut.Add(Blocker());
        TickUntil(sut, () => _started.Count == 8, "all threads to block");
        sut.Add(Item(() => { }));
        long now = Environment.TickCount64;
        sut.OnTick(now + 10);
        sut.OnTick(now + 1_100);
        return now + 1_100;
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
            OnTold?.Invoke();
        }

        public Action? OnTold { get; set; }
    }

    /// <summary>Asks from another thread whether the lock of the workers is free.</summary>
    private sealed class LockChecking(Workers workers) : IWorkClock
    {
        public const long Time = 42;

        public int Reads { get; private set; }

        public bool WasLocked { get; private set; }

        public long Now
        {
            get
            {
                Reads++;
                var look = new Thread(() => _ = workers.Threads) { IsBackground = true };
                look.Start();
                WasLocked |= !look.Join(Awaited.Patience);
                return Time;
            }
        }
    }
}
