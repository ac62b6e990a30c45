using System.Diagnostics;
using System.Globalization;

namespace Mux.Execution;

/// <summary>
/// The threads that run what must not run in a turn: handlers and continuations that are dear, and turns and loops whose thread is stuck in user code. There are as many of
/// them as work needs, up to a limit: a few at once, and one more for each that is stuck.
/// </summary>
/// <remarks>
/// <para>Not the .NET thread pool, whose minimum of one thread per core lets two sleeping handlers hold up everything else, and whose further threads come slowly. Safe for
/// concurrent use.</para>
/// <para>One thread at a time is called to look for work, and when it has found some and there is more, it calls the next before it begins. So a batch of cheap items wakes one or
/// two threads, which costs more than the items, and not one each; and behind an item that blocks there is always somebody on the way.</para>
/// </remarks>
internal sealed class Workers
{
    /// <summary>The knob in runtimeconfig.json, for those who set no code.</summary>
    public const string MaxThreadsKnob = "Mux.MaxWorkerThreads";

    public const int DefaultMaxThreads = 64;
    public const int LowestMaxThreads = 4;
    public const int HighestMaxThreads = 4_096;

    /// <summary>Waiting items above which work that can be refused is.</summary>
    public const int MaxWaiting = 65_536;

    /// <summary>And their bytes, 64 MiB.</summary>
    public const long MaxWaitingBytes = 64L << 20;

    private static readonly TimeSpan s_idleTime = TimeSpan.FromSeconds(10);

    /// <summary>Threads that may run at once although none is stuck: more than cores, because a worker that waits is noticed only after some ms.</summary>
    private static readonly int s_baseThreads = Math.Max(8, 2 * Environment.ProcessorCount);

    private readonly Lock _gate = new(); // guards everything below; some of it is read without
    private readonly Queue<IThreadPoolWorkItem> _urgent = new();
    private readonly Queue<(IThreadPoolWorkItem Item, int Bytes)> _waiting = new();
    private readonly List<Worker> _idle = []; // the last to become so at the end: the first to be used
    private readonly List<Worker> _all = [];
    private Worker? _called; // on its way to look for work
    private bool _isCallSeen; // by the monitor's last tick
    private int _maxThreads;
    private long _waitingBytes;
    private int _stuck;
    private long _refused;

    public Workers(int maxThreads) => _maxThreads = maxThreads;

    /// <summary>The process's.</summary>
    public static Workers Shared { get; } = new(ReadKnob());

    /// <summary>Threads there may be, stuck ones and those that lead an event loop included. Lowering it ends no thread before it has been idle for 10 s.</summary>
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

    /// <summary>Whether items wait; asked by the monitor before it sleeps.</summary>
    public bool HasWaiting => Waiting > 0;

    /// <summary>Runs an item soon, on a worker.</summary>
    public void Add(IThreadPoolWorkItem item) => Add(item, 0, isRefusable: false);

    /// <summary>Like <see cref="Add(IThreadPoolWorkItem)"/>, unless <see cref="MaxWaiting"/> items or <see cref="MaxWaitingBytes"/> wait already.</summary>
    /// <returns>Whether it will run.</returns>
    public bool TryAdd(IThreadPoolWorkItem item, int bytes) => Add(item, bytes, isRefusable: true);

    /// <summary>Runs an item ahead of all others, on one of the threads that are kept for such items: something waits for it that others may wait for.</summary>
    /// <returns>False if all threads are busy and there may be no more: then the next one that is free runs it.</returns>
    public bool RunUrgently(IThreadPoolWorkItem item)
    {
        Worker? worker;
        lock (_gate)
        {
            worker = TakeIdleLocked() ?? StartLocked(MaxThreads);
            if (worker is null)
            {
                _urgent.Enqueue(item);
                return false;
            }

            worker.Item = item;
        }

        worker.Wake();
        return true;
    }

    /// <summary>Starts threads for what waits, in the place of those that are stuck. Called by the monitor.</summary>
    /// <returns>Whether something waits that no thread is on its way to.</returns>
    public bool OnTick()
    {
        Worker[] all;
        lock (_gate)
        {
            if (_waiting.Count == 0) return false;
            all = [.. _all];
        }

        int stuck = all.Count(worker => worker.IsStuck()); // asks the system, so not under the lock
        Worker? called;
        lock (_gate)
        {
            _stuck = stuck;
            if (_waiting.Count == 0 || IsSomebodyComingLocked()) return false;
            called = CallLocked();
        }

        called?.Wake();
        return true;
    }

    private static int ReadKnob() =>
        AppContext.GetData(MaxThreadsKnob) is { } data && int.TryParse(data.ToString(), CultureInfo.InvariantCulture, out int value) ? Math.Clamp(value, LowestMaxThreads, HighestMaxThreads) : DefaultMaxThreads;

    /// <summary>
    /// Threads that are justified. Half as many again as are known to be stuck, because of a steady stream of sleeping handlers the latest are always not known yet.
    /// </summary>
    private int AllowedLocked => Math.Min(MaxThreads - Reserve(MaxThreads), s_baseThreads + _stuck + (_stuck / 2));

    /// <summary>Threads kept for urgent items, so that user code that has all others cannot wait for what none is left to do.</summary>
    private static int Reserve(int maxThreads) => Math.Max(1, maxThreads / 8);

    private bool Add(IThreadPoolWorkItem item, int bytes, bool isRefusable)
    {
        Worker? called;
        lock (_gate)
        {
            if (isRefusable && (_waiting.Count >= MaxWaiting || _waitingBytes + bytes > MaxWaitingBytes))
            {
                _refused++;
                return false;
            }

            _waiting.Enqueue((item, bytes));
            _waitingBytes += bytes;
            called = CallLocked();
        }

        called?.Wake();
        Interlocked.MemoryBarrier(); // see TurnMonitor: the item is in the queue before its sleep is looked at
        TurnMonitor.Shared.WakeIfAsleep();
        return true;
    }

    /// <summary>Calls a thread to look for work, unless one is on its way or there may be no more.</summary>
    /// <returns>Whom to wake when the lock is released.</returns>
    private Worker? CallLocked()
    {
        if (_called is not null) return null;
        _called = TakeIdleLocked() ?? StartLocked(AllowedLocked);
        _isCallSeen = false;
        return _called;
    }

    /// <summary>Whether a thread was called since the last tick; one that was called before that is late, and not waited for any more.</summary>
    private bool IsSomebodyComingLocked()
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
        try
        {
            var worker = new Worker(this);
            _all.Add(worker);
            return worker;
        }
        catch (OutOfMemoryException)
        {
            return null; // the system gives no more threads: as if there might be no more
        }
    }

    private IThreadPoolWorkItem TakeWaitingLocked()
    {
        var (item, bytes) = _waiting.Dequeue();
        _waitingBytes -= bytes;
        return item;
    }

    /// <summary>On a worker that is done: its next item, or null when it is idle or over.</summary>
    private IThreadPoolWorkItem? TakeNext(Worker worker)
    {
        IThreadPoolWorkItem? item;
        Worker? called = null;
        lock (_gate)
        {
            if (_called == worker) _called = null;
            item = worker.Item;
            worker.Item = null;
            if (item is null && !_urgent.TryDequeue(out item) && _waiting.Count > 0) item = TakeWaitingLocked();
            worker.IsBusy = item is not null;
            if (item is null) _idle.Add(worker);
            else if (_waiting.Count > 0) called = CallLocked();
        }

        called?.Wake();
        return item;
    }

    /// <summary>On a worker that nobody needed for a while.</summary>
    /// <returns>Whether it is over; otherwise it was given an item or called just now.</returns>
    private bool TryRetire(Worker worker)
    {
        lock (_gate)
        {
            return _idle.Remove(worker) && _all.Remove(worker);
        }
    }

#pragma warning disable CA1001 // Its thread disposes the event when it ends.
    private sealed class Worker
#pragma warning restore CA1001
    {
        private readonly Workers _owner;
        private readonly AutoResetEvent _wake = new(false);
        private long _done; // items, written by the thread
        private int _thread; // the system's number of it
        private long _seenDone = -1; // at the monitor's last look
        private long _stuckAt = -1; // where the monitor found that it waits

        public Worker(Workers owner)
        {
            _owner = owner;
            new Thread(Run) { IsBackground = true, Name = "Mux worker" }.UnsafeStart();
        }

        /// <summary>Whether it has an item. Written under the owner's lock.</summary>
        public bool IsBusy { get; set; }

        /// <summary>What it is to run before it looks for more. Under the owner's lock.</summary>
        public IThreadPoolWorkItem? Item { get; set; }

        /// <summary>It has something to do: called when it was taken from the idle ones, or has just been started.</summary>
        public void Wake() => _wake.Set();

        /// <summary>
        /// Whether it runs what it ran at the last look and waits for something. One that computes is not stuck: another thread would only take from it what it needs. For the monitor.
        /// </summary>
        public bool IsStuck()
        {
            long done = Volatile.Read(ref _done);
            bool isBusy = IsBusy;
            bool isSame = isBusy && done == _seenDone;
            _seenDone = isBusy ? done : -1;
            if (!isSame) return false;
            if (_stuckAt != done && ThreadUsage.IsWaiting(_thread)) _stuckAt = done; // once found waiting it counts until it is done: to ask costs 10 us
            return _stuckAt == done;
        }

        private void Run()
        {
            _thread = ThreadUsage.ThreadNumber();
            var context = ExecutionContext.Capture()!; // the default one, as the thread has just begun
            while (true)
            {
                while (!_wake.WaitOne(s_idleTime))
                {
                    if (!_owner.TryRetire(this)) continue;
                    _wake.Dispose();
                    return;
                }

                while (_owner.TakeNext(this) is { } item)
                {
                    Execute(item);
                    if (ExecutionContext.Capture() != context) ExecutionContext.Restore(context); // what user code has left on the thread is not for the next
                    if (SynchronizationContext.Current is not null) SynchronizationContext.SetSynchronizationContext(null);
                    Volatile.Write(ref _done, _done + 1);
                }
            }
        }

        private static void Execute(IThreadPoolWorkItem item)
        {
            try
            {
                item.Execute();
            }
            catch (Exception error)
            {
                // Items catch what user code throws; a thread of everybody's must survive what is left. A loop that fails here ends the process: see TurnMonitor.
                Debug.Fail(error.ToString());
            }
        }
    }
}
