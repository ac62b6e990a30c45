using System.Diagnostics;

namespace Mux.Runtime;

/// <summary>
/// The threads of one <see cref="WorkerKind"/>. Their number follows the work up to a limit: a few at once, one and a half more for each that waits, and
/// one more whenever nothing has started for half a second, because code that computes may never end.
/// </summary>
/// <remarks>
/// <para>The .NET thread pool does not fit: with its minimum of one thread per core, two sleeping handlers hold up everything else, and further threads start
/// slowly. Each kind has its own threads: a blocked handler waits for a completion or a loop, so those must never wait for handlers. Thread-safe.</para>
/// <para>One thread at a time is called to look for work. When it has found some and more is left, it calls the next one before it starts. So a batch of cheap
/// items wakes one or two threads rather than one per item, because a wake-up costs more than the items. After an item that blocks, a thread is always on its
/// way.</para>
/// </remarks>
internal sealed class Workers
{
    /// <summary>Maximum number of waiting items before refusable work is refused.</summary>
    public const int MaxWaiting = 65_536;

    /// <summary>Maximum size of waiting items before refusable work is refused: 64 MiB.</summary>
    public const long MaxWaitingBytes = 64L << 20;

    /// <summary>Time after which an idle thread ends.</summary>
    public static readonly TimeSpan IdleTime = TimeSpan.FromSeconds(10);

    /// <summary>Number of threads left when they count as short.</summary>
    private const int SpareThreads = 64;

    /// <summary>Milliseconds between two attempts to start a thread if the system has none: an attempt opens files, under the lock.</summary>
    private const long DeniedPause = 100;

    /// <summary>
    /// Milliseconds for which the system counts as out of threads after a failed start; while more are needed, the next attempt comes earlier.
    /// </summary>
    private const long DeniedTime = 1_000;

    /// <summary>
    /// Number of threads that may run at once although none is stuck: more than cores, because a waiting worker is noticed only after some ms.
    /// </summary>
    private static readonly int s_baseThreads = Math.Max(8, 2 * Environment.ProcessorCount);

    private readonly Lock _gate = new(); // guards everything below; some of it is read without it
    private readonly Queue<IThreadPoolWorkItem> _urgent = new();
    private readonly WaitingWork _waiting = new();
    private readonly List<Worker> _idle = []; // the last one to become idle is used first
    private readonly List<Worker> _all = [];
    private readonly WorkProgress _progress = new();
    private readonly StuckShare _stuck = new();
    private readonly PoolHelp _poolHelp;
    private readonly ThreadStarter _start;
    private readonly ReportThread _reports;
    private readonly Worker[] _sample = new Worker[StuckShare.SampleSize]; // owned by the monitor
    private readonly List<EndedWork> _ended = []; // owned by the monitor
    private readonly List<string> _running = []; // owned by the monitor
    private readonly ClockReadings _clocks = new(); // owned by the monitor
    private Worker? _called; // on its way to look for work
    private bool _isCallSeen; // at the monitor's last look
    private int _maxThreads;
    private int _allowed = s_baseThreads; // as of the monitor's last look
    private long _started;
    private long _refused;
    private long _lastLook;
    private int _poolHelpers; // on their way
    private long _deniedAt = long.MinValue / 2; // when the system last had no thread

    public Workers(WorkerKind kind, int maxThreads, ThreadStarter? start = null)
    {
        Kind = kind;
        _maxThreads = maxThreads;
        _poolHelp = new PoolHelp(this);
        _start = start ?? EngineThread.TryStart;
        _reports = new ReportThread(_start);
    }

    public WorkerKind Kind { get; }

    /// <summary>Name of the kind, for metrics and thread names.</summary>
    public string Name => Kind switch
    {
        WorkerKind.Handlers => "handler",
        WorkerKind.Completions => "completion",
        WorkerKind.Callbacks => "callback",
        WorkerKind.Overdue => "overdue",
        WorkerKind.Engine => "engine",
        _ => "leader",
    };

    /// <summary>Maximum number of threads, including stuck ones. After it was lowered, threads still end only when they have been idle for 10 s.</summary>
    public int MaxThreads
    {
        get => Volatile.Read(ref _maxThreads);
        set => Volatile.Write(ref _maxThreads, value);
    }

    /// <summary>Number of threads.</summary>
    public int Threads
    {
        get
        {
            lock (_gate) return _all.Count;
        }
    }

    /// <summary>Number of threads that run an item.</summary>
    public int Busy
    {
        get
        {
            lock (_gate) return _all.Count - _idle.Count;
        }
    }

    /// <summary>Number of items that wait for a thread.</summary>
    public int Waiting
    {
        get
        {
            lock (_gate) return _waiting.Count;
        }
    }

    /// <summary>Positions of the first item that waits and behind the last one, which count up for ever; equal if none waits.</summary>
    public (long Head, long Tail) Positions
    {
        get
        {
            lock (_gate) return _waiting.Positions;
        }
    }

    /// <summary>Number of items that <see cref="TryAdd"/> refused.</summary>
    public long Refused => Volatile.Read(ref _refused);

    /// <summary>Milliseconds after which there may be room for work that is refused now.</summary>
    public uint RetryAfterMilliseconds
    {
        get
        {
            lock (_gate) return (uint)_progress.RetryAfter(_waiting.Count);
        }
    }

    /// <summary>True if so many threads are in use that no work that could take one may start, or the system has no more.</summary>
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
    /// Like <see cref="Add(IWork)"/>, but refuses the item if <see cref="MaxWaiting"/> items or <see cref="MaxWaitingBytes"/> wait already, or if the maximum
    /// number of threads is reached and as many items wait.
    /// </summary>
    /// <returns>True if it will run.</returns>
    public bool TryAdd(IWork item, int bytes) => Add(item, bytes, isRefusable: true);

    /// <summary>Runs an item at once, before all others.</summary>
    /// <param name="item">The item.</param>
    /// <param name="waits">True to make it wait for the next free thread if there is none now.</param>
    /// <returns>False if all threads are busy and no more can be started.</returns>
    public bool TryRun(IThreadPoolWorkItem item, bool waits)
    {
        Worker? worker;
        using (EngineThread.Enter(_gate)) // else what user code has left on the thread could keep the item from running
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
    /// Called by the monitor: starts threads for waiting work in place of stuck ones, ends waiting calls whose deadline has passed, and reports stalls.
    /// </summary>
    /// <param name="now">Current time in milliseconds.</param>
    /// <returns>True if items wait.</returns>
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

        if (told is var (owner, stall)) Report(owner, stall with { Running = CountRunning() });

        foreach (var item in _ended) ProcessWorkers.Overdue.Add(item);
        _ended.Clear();
        int stuck = 0;
        foreach (var worker in _sample.AsSpan(0, sampled)) stuck += worker.IsStuck(now) ? 1 : 0; // asks the system, so outside the lock
        Worker? called;
        lock (_gate)
        {
            _stuck.Add(stuck, sampled, busy);
            Allow(_stuck.Estimate);
            if (_waiting.Count == 0) return false;
            if (_progress.WantsCompany(now)) _allowed = Math.Max(_allowed, _all.Count + 1);
            called = IsOneComingLocked() ? null : CallLocked();
        }

        called?.Wake();
        return true;
    }

    /// <summary>Called on a worker that is done: returns its next item, or null if the worker is now idle or ended.</summary>
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
                worker.Code = work.Name; // now: the item may be reused once it runs
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

    /// <summary>Called on a worker that was idle for a while.</summary>
    /// <returns>True if the worker ends; false if it was just given an item or called.</returns>
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
    /// Allows one and a half threads per thread known to be stuck: of a steady stream of sleeping handlers, the latest are never known yet. Grows by at most
    /// half of the current threads, so that a wrong look does no harm: from 8 to 2,048 in 14 looks.
    /// </summary>
    private void Allow(int stuck)
    {
        int wanted = s_baseThreads + stuck + (stuck / 2);
        _allowed = Math.Min(wanted, Math.Max(s_baseThreads, _all.Count + (_all.Count / 2)));
    }

    private bool Add(IWork item, int bytes, bool isRefusable)
    {
        Worker? called;
        using (EngineThread.Enter(_gate))
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
        Interlocked.MemoryBarrier(); // see MonitorSignals: queue the item before reading whether it sleeps
        MonitorSignals.WakeIfAsleep();
        return true;
    }

    /// <summary>True if the system had no thread for a start a moment ago.</summary>
    private bool IsDeniedLocked => Environment.TickCount64 - _deniedAt < DeniedTime;

    private bool MayGrowLocked => _all.Count < MaxThreads && !IsDeniedLocked;

    /// <summary>Number of threads that can be expected: the maximum, or if the system has no more, the current number but no fewer than the base.</summary>
    private int ThreadsAtMostLocked => IsDeniedLocked ? Math.Min(MaxThreads, Math.Max(_all.Count, s_baseThreads)) : MaxThreads;

    /// <summary>
    /// At the maximum number of threads, as many items may wait as there are threads: further ones would wait longer than their callers do. If it is the system
    /// that has no more threads, that holds only if half of the threads are stuck; otherwise no more are needed.
    /// </summary>
    private bool IsFullLocked(int bytes)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        bool isAtLimit = _idle.Count == 0 && (_all.Count >= MaxThreads || (_stuck.Estimate * 2 >= _all.Count && IsDeniedLocked));
        int limit = isAtLimit ? Math.Min(ThreadsAtMostLocked, MaxWaiting) : MaxWaiting;
        return _waiting.Count >= limit || _waiting.Bytes + bytes > MaxWaitingBytes;
    }

    /// <summary>Calls a thread to look for work, unless one is on its way or no more can be started.</summary>
    /// <returns>The thread to wake after the lock is released.</returns>
    private Worker? CallLocked()
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        if (_called is not null) return null;
        _called = TakeIdleLocked() ?? StartLocked(Math.Min(_allowed, MaxThreads));
        _isCallSeen = false;
        return _called;
    }

    /// <summary>True if a thread was called since the last look. One that was called before that is late and no longer waited for.</summary>
    private bool IsOneComingLocked()
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        if (_called is null) return false;
        if (_isCallSeen) _called = null;
        return _isCallSeen = _called is not null;
    }

    private Worker? TakeIdleLocked()
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        if (_idle.Count == 0) return null;
        var worker = _idle[^1];
        _idle.RemoveAt(_idle.Count - 1);
        return worker;
    }

    private Worker? StartLocked(int allowed)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
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

    /// <summary>Picks a sample of the busy threads, or all if they are few.</summary>
    private int SampleLocked(out int busy)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        busy = 0;
        int sampled = 0;
        foreach (var worker in _all)
        {
            if (worker.Code is null) continue;
            busy++;
            if (sampled < _sample.Length) _sample[sampled++] = worker;
            else if (Random.Shared.Next(busy) is var place && place < _sample.Length) _sample[place] = worker; // reservoir sampling
        }

        return sampled;
    }

    /// <summary>Applies the limit to items that came in one burst before the number of threads had reached its maximum.</summary>
    private void RefuseExcessLocked()
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        int before = _waiting.Count;
        _waiting.TakeExcess(ThreadsAtMostLocked, _ended);
        _refused += before - _waiting.Count;
    }

    /// <summary>
    /// Asks the .NET thread pool for help. The items stay in the queue until a pool thread takes them, so that their calls still end at their deadline.
    /// </summary>
    private void CallThreadPoolLocked()
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        for (; _poolHelpers < _waiting.Count; _poolHelpers++) EnginePool.Queue(_poolHelp);
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

    /// <summary>Starts a thread for a waiting urgent item: the system may have one now.</summary>
    private void StartUrgent()
    {
        Worker? worker;
        lock (_gate) worker = _urgent.Count > 0 ? StartLocked(MaxThreads) : null;
        worker?.Wake();
    }

    /// <returns>The stall without the running code, which <see cref="CountRunning"/> counts after the lock is released. Null if an owner is still being told of
    /// a stall, nothing waits any more, or no code blocks: then the threads that were called get no processor, and no code could be named.</returns>
    private (IWorkOwner Owner, WorkStall Stall)? DescribeStallLocked()
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        if (_reports.IsTelling || _waiting.First is not { } first) return null;
        _running.Clear();
        foreach (var worker in _all)
        {
            if (worker.Code is { } code) _running.Add(code);
        }

        if (_running.Count == 0 || _idle.Count > 0) return null;
        return (first.Owner, new WorkStall(Kind, _progress.StandsFor / 1_000.0, _waiting.Count, _all.Count, MaxThreads, IsDeniedLocked, []));
    }

    private void Report(IWorkOwner owner, WorkStall stall) => _reports.Tell(() => owner.OnStalled(stall));

    private (string Name, int Threads)[] CountRunning() =>
        [.. _running.CountBy(code => code).Select(code => (code.Key, code.Value)).OrderByDescending(code => code.Value)];

    /// <summary>Runs one item on the .NET thread pool.</summary>
    private sealed class PoolHelp(Workers workers) : IThreadPoolWorkItem
    {
        public void Execute() => workers.TakeForThreadPool()?.Execute();
    }
}

/// <summary>
/// Estimates by sampling how many busy threads wait for something: asking the system about one thread costs 10 us, and there may be thousands. Used by the
/// monitor alone.
/// </summary>
internal sealed class StuckShare
{
    /// <summary>Threads sampled per look: some 80 us of at least a millisecond between two looks.</summary>
    public const int SampleSize = 8;

    /// <summary>Weight of a new sample if it does not cover all threads: eight of many are off by a tenth or two.</summary>
    private const double Weight = 0.5;

    private double _share;

    /// <summary>Estimated number of busy threads that wait.</summary>
    public int Estimate { get; private set; }

    /// <summary>Adds a sample.</summary>
    /// <param name="stuck">Number of waiting threads in the sample.</param>
    /// <param name="sampled">Size of the sample.</param>
    /// <param name="busy">Number of busy threads.</param>
    public void Add(int stuck, int sampled, int busy)
    {
        if (sampled == 0)
        {
            _share = 0;
            Estimate = 0;
            return;
        }

        double share = (double)stuck / sampled;
        _share = sampled == busy ? share : _share + ((share - _share) * Weight);
        Estimate = (int)Math.Round(_share * busy);
    }
}

/// <summary>Detects stalls of waiting work and estimates when a retry makes sense. Fed by the monitor's ticks; guarded by the lock of the queue.</summary>
internal sealed class WorkProgress
{
    /// <summary>Milliseconds without a start after which waiting work is stalled.</summary>
    private const long StallTime = 1_000;

    /// <summary>
    /// Milliseconds without a start after which one more thread is worth its competition for a core, although the running code may compute: half a second, as
    /// in the .NET thread pool.
    /// </summary>
    private const long CompanyTime = 500;

    /// <summary>Milliseconds between two such threads, while the first has started nothing yet.</summary>
    private const long CompanyPause = 100;

    /// <summary>Milliseconds over which the rate is measured.</summary>
    private const long RateTime = 250;

    private const double ShortestRetry = 20;
    private const double LongestRetry = 5_000;

    private long _started;
    private bool _wasWaiting;
    private long _movedAt;
    private long _toldAt = long.MinValue / 2;
    private long _joinedAt = long.MinValue / 2;
    private long _rateSince;
    private long _rateFrom;
    private double _perMillisecond;

    /// <summary>Milliseconds since the last start, as of the last look; 0 while nothing waits.</summary>
    public long StandsFor { get; private set; }

    /// <summary>Takes a look at the queue.</summary>
    /// <param name="now">Current time in milliseconds.</param>
    /// <param name="started">Number of items started so far.</param>
    /// <param name="isWaiting">True if items wait.</param>
    /// <returns>True if a stall should be reported: no item has started for a second, and no stall was reported within the last second.</returns>
    public bool Look(long now, long started, bool isWaiting)
    {
        if (started != _started || !isWaiting || !_wasWaiting) _movedAt = now;
        if (!_wasWaiting) (_rateSince, _rateFrom) = (now, started); // the monitor may have slept since its last look
        (_started, _wasWaiting) = (started, isWaiting);
        if (now - _rateSince >= RateTime)
        {
            _perMillisecond = (started - _rateFrom) / (double)(now - _rateSince);
            (_rateSince, _rateFrom) = (now, started);
        }

        StandsFor = now - _movedAt;
        if (StandsFor < StallTime || now - _toldAt < StallTime) return false;
        _toldAt = now;
        return true;
    }

    /// <summary>
    /// True, at most every 100 ms, if nothing has started for so long that a thread more should, whatever the others do. Code that computes for ever, or that
    /// waits in a loop for what is in the queue, would otherwise hold up all that waits. Asked after <see cref="Look"/>.
    /// </summary>
    public bool WantsCompany(long now)
    {
        if (StandsFor < CompanyTime || now - _joinedAt < CompanyPause) return false;
        _joinedAt = now;
        return true;
    }

    /// <summary>Milliseconds after which a refused caller may find room: waiting items divided by the rate of starts, 20 ms to 5 s.</summary>
    public double RetryAfter(int waiting) => _perMillisecond <= 0 ? LongestRetry : Math.Clamp(waiting / _perMillisecond, ShortestRetry, LongestRetry);
}

/// <summary>Kinds of work of <see cref="Workers"/>. Each kind has its own threads, so that none waits for another.</summary>
internal enum WorkerKind
{
    /// <summary>Handlers that are too expensive for the threads that receive.</summary>
    Handlers,

    /// <summary>The code after calls, and large replies. Blocked handlers wait for it.</summary>
    Completions,

    /// <summary>Producers of streams, callbacks of tokens and other user code that the .NET thread pool has not taken. It may wait for completions.</summary>
    Callbacks,

    /// <summary>Calls that ended while they waited for a thread of one of the kinds above.</summary>
    Overdue,

    /// <summary>
    /// Work of connections for themselves, such as sending for other connections. Their logs and metrics also run here, and such code may block: work that
    /// finds no thread runs on the .NET thread pool.
    /// </summary>
    Engine,

    /// <summary>Event loops and deliveries whose thread is stuck in user code, and the pumps of in-memory networks.</summary>
    Leaders,
}
