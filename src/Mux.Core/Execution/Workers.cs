namespace Mux.Execution;

/// <summary>
/// The threads of one <see cref="WorkerKind"/>. There are as many of them as the work needs, up to a limit: a few at once, and one and a half more for each
/// that is stuck.
/// </summary>
/// <remarks>
/// <para>Not the .NET thread pool, whose minimum of one thread per core lets two sleeping handlers hold up everything else, and whose further threads come
/// slowly. Each kind has its own: a handler that blocks waits for a completion or for a loop, so those must never wait for handlers. Safe for concurrent
/// use.</para>
/// <para>One thread at a time is called to look for work, and when it has found some and there is more, it calls the next before it begins. So a batch of cheap
/// items wakes one or two threads, which costs more than the items, and not one each; and behind an item that blocks there is always one on the way.</para>
/// </remarks>
internal sealed class Workers
{
    /// <summary>Waiting items above which work that can be refused is.</summary>
    public const int MaxWaiting = 65_536;

    /// <summary>And their bytes, 64 MiB.</summary>
    public const long MaxWaitingBytes = 64L << 20;

    /// <summary>How long a thread without work stays.</summary>
    public static readonly TimeSpan IdleTime = TimeSpan.FromSeconds(10);

    /// <summary>Threads that are left when they are short.</summary>
    private const int SpareThreads = 64;

    /// <summary>Milliseconds between two tries to start a thread where the system gives none: a try opens files, under the lock.</summary>
    private const long DeniedPause = 100;

    /// <summary>
    /// Milliseconds for which the system counts as out of threads after it gave none: while more are needed, a further try comes before that.
    /// </summary>
    private const long DeniedTime = 1_000;

    /// <summary>Threads that may run at once although none is stuck: more than cores, because a worker that waits is noticed only after some ms.</summary>
    private static readonly int s_baseThreads = Math.Max(8, 2 * Environment.ProcessorCount);

    private readonly Lock _gate = new(); // guards everything below; some of it is read without
    private readonly Queue<IThreadPoolWorkItem> _urgent = new();
    private readonly WaitingWork _waiting = new();
    private readonly List<Worker> _idle = []; // the last to become so at the end: the first to be used
    private readonly List<Worker> _all = [];
    private readonly WorkProgress _progress = new();
    private readonly StuckShare _stuck = new();
    private readonly PoolHelp _poolHelp;
    private readonly ThreadStarter _start;
    private readonly StallTeller _teller;
    private readonly Worker[] _sample = new Worker[StuckShare.SampleSize]; // the monitor's
    private readonly List<EndedWork> _ended = []; // the monitor's
    private readonly List<string> _running = []; // the monitor's
    private readonly ClockReadings _clocks = new(); // the monitor's
    private Worker? _called; // on its way to look for work
    private bool _isCallSeen; // by the monitor's last look
    private int _maxThreads;
    private int _allowed = s_baseThreads; // as of the monitor's last look
    private long _started;
    private long _refused;
    private long _lastLook;
    private int _poolHelpers; // on their way
    private long _deniedAt = long.MinValue / 2; // when the system last gave no thread

    public Workers(WorkerKind kind, int maxThreads, ThreadStarter? start = null)
    {
        Kind = kind;
        _maxThreads = maxThreads;
        _poolHelp = new PoolHelp(this);
        _start = start ?? EngineThread.TryStart;
        _teller = new StallTeller(_start);
    }

    public WorkerKind Kind { get; }

    /// <summary>Of the kind, for metrics and names of threads.</summary>
    public string Name => Kind switch
    {
        WorkerKind.Handlers => "handler",
        WorkerKind.Completions => "completion",
        WorkerKind.Overdue => "overdue",
        WorkerKind.Engine => "engine",
        _ => "leader",
    };

    /// <summary>Threads there may be, stuck ones included. Lowering it ends no thread before it has been idle for 10 s.</summary>
    public int MaxThreads
    {
        get => Volatile.Read(ref _maxThreads);
        set => Volatile.Write(ref _maxThreads, value);
    }

    /// <summary>Threads there are.</summary>
    public int Threads
    {
        get
        {
            lock (_gate) return _all.Count;
        }
    }

    /// <summary>Threads that run something.</summary>
    public int Busy
    {
        get
        {
            lock (_gate) return _all.Count - _idle.Count;
        }
    }

    /// <summary>Items that wait for a thread.</summary>
    public int Waiting
    {
        get
        {
            lock (_gate) return _waiting.Count;
        }
    }

    /// <summary>Items that <see cref="TryAdd"/> refused.</summary>
    public long Refused => Volatile.Read(ref _refused);

    /// <summary>After how many milliseconds there may be room for what is refused now.</summary>
    public uint RetryAfterMilliseconds
    {
        get
        {
            lock (_gate) return (uint)_progress.RetryAfter(_waiting.Count);
        }
    }

    /// <summary>Whether so many threads are taken that nothing more may be begun that could take one, or the system gives no more.</summary>
    public bool IsShort
    {
        get
        {
            lock (_gate) return IsDeniedLocked || _all.Count - _idle.Count > MaxThreads - SpareThreads;
        }
    }

    /// <summary>Runs an item soon, on a worker.</summary>
    public void Add(IWork item) => Add(item, 0, isRefusable: false);

    /// <summary>
    /// Like <see cref="Add(IWork)"/>, unless <see cref="MaxWaiting"/> items or <see cref="MaxWaitingBytes"/> wait already, or as many as there are threads and
    /// there may be no more of these.
    /// </summary>
    /// <returns>Whether it will run.</returns>
    public bool TryAdd(IWork item, int bytes) => Add(item, bytes, isRefusable: true);

    /// <summary>Runs an item at once, ahead of all others.</summary>
    /// <param name="item">The item.</param>
    /// <param name="waits">Whether it waits for the next free thread if there is none now.</param>
    /// <returns>False if all threads are busy and there may be no more.</returns>
    public bool TryRun(IThreadPoolWorkItem item, bool waits)
    {
        Worker? worker;
        lock (_gate)
        {
            worker = TakeIdleLocked() ?? StartLocked(MaxThreads);
            if (worker is null)
            {
                if (waits) _urgent.Enqueue(item);
                return false;
            }

            worker.Item = item;
        }

        worker.Wake();
        return true;
    }

    /// <summary>
    /// Starts threads for what waits, in the place of those that are stuck; ends calls whose deadline has passed while they wait; tells of work that does not
    /// move. The monitor's.
    /// </summary>
    /// <param name="now">Milliseconds.</param>
    /// <returns>Whether something waits.</returns>
    public bool OnTick(long now)
    {
        if (now == _lastLook) return Waiting > 0;
        _lastLook = now;
        int sampled, busy;
        (IWorkOwner Owner, WorkStall Stall)? told = null;
        StartUrgent();
        if (_waiting.IsLookDue(now)) _clocks.Read();
        lock (_gate)
        {
            bool isStalled = _progress.Look(now, _started, _waiting.Count > 0);
            if (_waiting.Count == 0) return false;
            _waiting.TakeAbandoned(now, _clocks, _ended);
            if (isStalled)
            {
                told = DescribeStallLocked();
                if (Kind == WorkerKind.Handlers && !MayGrowLocked) RefuseExcessLocked();
            }

            if (Kind == WorkerKind.Completions && _progress.StandsFor > 0 && !MayGrowLocked) CallThreadPoolLocked();
            sampled = SampleLocked(out busy);
        }

        if (told is var (owner, stall)) _teller.Tell(owner, stall with { Running = CountRunning() });
        foreach (var item in _ended) ProcessWorkers.Overdue.Add(item);
        _ended.Clear();
        int stuck = 0;
        foreach (var worker in _sample.AsSpan(0, sampled)) stuck += worker.IsStuck(now) ? 1 : 0; // asks the system, so not under the lock
        Worker? called;
        lock (_gate)
        {
            _stuck.Add(stuck, sampled, busy);
            Allow(_stuck.Estimate);
            if (_waiting.Count == 0) return false;
            called = IsOneComingLocked() ? null : CallLocked();
        }

        called?.Wake();
        return true;
    }

    /// <summary>On a worker that is done: its next item, or null when it is idle or over.</summary>
    public IThreadPoolWorkItem? TakeNext(Worker worker)
    {
        IThreadPoolWorkItem? item;
        Worker? called = null;
        lock (_gate)
        {
            if (_called == worker) _called = null;
            item = worker.Item;
            worker.Item = null;
            worker.Code = null;
            if (item is null && !_urgent.TryDequeue(out item) && _waiting.TryTake(out var work))
            {
                item = work;
                worker.Code = work.Name; // now: it may be reused once it runs
            }

            if (item is null)
            {
                _idle.Add(worker);
            }
            else
            {
                worker.Since = Environment.TickCount64;
                worker.Number = ++_started;
                if (_waiting.Count > 0) called = CallLocked();
            }
        }

        called?.Wake();
        return item;
    }

    /// <summary>On a worker that was idle for a while.</summary>
    /// <returns>Whether it is over; otherwise it was given an item or called just now.</returns>
    public bool TryRetire(Worker worker)
    {
        lock (_gate)
        {
            if (!_idle.Remove(worker) || !_all.Remove(worker)) return false;
            _deniedAt = long.MinValue / 2; // the system has one more again
            return true;
        }
    }

    /// <summary>
    /// Half as many again as are known to be stuck, because of a steady stream of sleeping handlers the latest are always not known yet; but no more than half
    /// as many again as there are, so that a wrong look does no harm: from 8 to 2,048 in 14 looks.
    /// </summary>
    private void Allow(int stuck)
    {
        int wanted = s_baseThreads + stuck + (stuck / 2);
        _allowed = Math.Min(wanted, Math.Max(s_baseThreads, _all.Count + (_all.Count / 2)));
    }

    private bool Add(IWork item, int bytes, bool isRefusable)
    {
        Worker? called;
        lock (_gate)
        {
            if (isRefusable && IsFullLocked(bytes))
            {
                _refused++;
                return false;
            }

            _waiting.Add(item, bytes);
            called = CallLocked();
        }

        called?.Wake();
        Interlocked.MemoryBarrier(); // see TurnMonitor: the item is in the queue before its sleep is looked at
        TurnMonitor.Shared.WakeIfAsleep();
        return true;
    }

    /// <summary>Whether the system gave no thread when one was wanted, a moment ago.</summary>
    private bool IsDeniedLocked => Environment.TickCount64 - _deniedAt < DeniedTime;

    private bool MayGrowLocked => _all.Count < MaxThreads && !IsDeniedLocked;

    /// <summary>
    /// For how many items there are threads: as many as there may be; where the system gives fewer, as many as it gives, but no fewer than are begun with.
    /// </summary>
    private int ThreadsAtMostLocked => IsDeniedLocked ? Math.Min(MaxThreads, Math.Max(_all.Count, s_baseThreads)) : MaxThreads;

    /// <summary>
    /// Where there may be no more threads, one item waits for each: more than that would wait for longer than their callers do. Where it is the system that
    /// gives no more, only if half of them are stuck: as long as they work, no more are needed.
    /// </summary>
    private bool IsFullLocked(int bytes)
    {
        bool isAtLimit = _idle.Count == 0 && (_all.Count >= MaxThreads || (_stuck.Estimate * 2 >= _all.Count && IsDeniedLocked));
        int limit = isAtLimit ? Math.Min(ThreadsAtMostLocked, MaxWaiting) : MaxWaiting;
        return _waiting.Count >= limit || _waiting.Bytes + bytes > MaxWaitingBytes;
    }

    /// <summary>Calls a thread to look for work, unless one is on its way or there may be no more.</summary>
    /// <returns>The thread to wake when the lock is released.</returns>
    private Worker? CallLocked()
    {
        if (_called is not null) return null;
        _called = TakeIdleLocked() ?? StartLocked(Math.Min(_allowed, MaxThreads));
        _isCallSeen = false;
        return _called;
    }

    /// <summary>Whether a thread was called since the last look; one that was called before that is late, and not waited for any more.</summary>
    private bool IsOneComingLocked()
    {
        if (_called is null) return false;
        if (_isCallSeen) _called = null;
        return _isCallSeen = _called is not null;
    }

    private Worker? TakeIdleLocked()
    {
        if (_idle.Count == 0) return null;
        var worker = _idle[^1];
        _idle.RemoveAt(_idle.Count - 1);
        return worker;
    }

    private Worker? StartLocked(int allowed)
    {
        if (_all.Count >= allowed) return null;
        long now = Environment.TickCount64;
        if (now - _deniedAt < DeniedPause) return null;
        if (Worker.TryStart(this, _start, $"Mux {Name}") is not { } worker)
        {
            _deniedAt = now;
            return null;
        }

        _all.Add(worker);
        _deniedAt = long.MinValue / 2;
        return worker;
    }

    /// <summary>Some of the busy threads, or all if they are few.</summary>
    private int SampleLocked(out int busy)
    {
        busy = 0;
        int sampled = 0;
        foreach (var worker in _all)
        {
            if (worker.Code is null) continue;
            busy++;
            if (sampled < _sample.Length) _sample[sampled++] = worker;
            else if (Random.Shared.Next(busy) is var place && place < _sample.Length) _sample[place] = worker; // each with the same chance
        }

        return sampled;
    }

    /// <summary>What came in one burst, before there were as many threads as there may be, is measured by the same rule as what comes later.</summary>
    private void RefuseExcessLocked()
    {
        int before = _waiting.Count;
        _waiting.TakeExcess(ThreadsAtMostLocked, _ended);
        _refused += before - _waiting.Count;
    }

    /// <summary>The items stay here until a thread of the pool comes for them, so that their calls still end when their deadline passes.</summary>
    private void CallThreadPoolLocked()
    {
        for (; _poolHelpers < _waiting.Count; _poolHelpers++) ThreadPool.UnsafeQueueUserWorkItem(_poolHelp, preferLocal: false);
    }

    private IWork? TakeForThreadPool()
    {
        lock (_gate)
        {
            _poolHelpers--;
            if (!_waiting.TryTake(out var item)) return null;
            _started++;
            return item;
        }
    }

    /// <summary>An urgent item waits, and all threads are busy or there is none: the system may give one now.</summary>
    private void StartUrgent()
    {
        Worker? worker;
        lock (_gate) worker = _urgent.Count > 0 ? StartLocked(MaxThreads) : null;
        worker?.Wake();
    }

    /// <returns>The stall without the code that runs, which <see cref="CountRunning"/> counts when the lock is released; null if an owner is still being told
    /// of one, or nothing waits any more.</returns>
    private (IWorkOwner Owner, WorkStall Stall)? DescribeStallLocked()
    {
        if (_teller.IsTelling || _waiting.First is not { } first) return null;
        _running.Clear();
        foreach (var worker in _all)
        {
            if (worker.Code is { } code) _running.Add(code);
        }

        return (first.Owner, new WorkStall(Kind, _progress.StandsFor / 1_000.0, _waiting.Count, _all.Count, MaxThreads, IsDeniedLocked, []));
    }

    private (string Name, int Threads)[] CountRunning() =>
        [.. _running.CountBy(code => code).Select(code => (code.Key, code.Value)).OrderByDescending(code => code.Value)];

    /// <summary>One item, on the .NET thread pool.</summary>
    private sealed class PoolHelp(Workers workers) : IThreadPoolWorkItem
    {
        public void Execute() => workers.TakeForThreadPool()?.Execute();
    }
}
