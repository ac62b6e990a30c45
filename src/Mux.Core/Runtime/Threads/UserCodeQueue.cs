using System.Collections.Concurrent;

namespace Mux.Runtime;

/// <summary>
/// Runs user code on the .NET thread pool, and on <see cref="Workers"/> once the pool has taken none of it for <see cref="PoolTime"/>: all of its threads may
/// be blocked, by code that waits for this. Thread-safe.
/// </summary>
/// <remarks>
/// The pool is asked first because this code then shares it fairly with the rest of the program. Items stay in the queue until a thread takes them: whichever
/// comes first, of the pool or of the workers, runs an item, and the other finds none.
/// </remarks>
internal sealed class UserCodeQueue(Action<IThreadPoolWorkItem> pool, Workers others) : IThreadPoolWorkItem
{
    /// <summary>Milliseconds for which the pool may take nothing: more than a collection or a busy machine keeps it.</summary>
    public const long PoolTime = 100;

    private readonly ConcurrentQueue<IThreadPoolWorkItem> _waiting = new();
    private long _looks; // of the pool, also those that find no item
    private long _looksBefore; // as of the last tick; this and all below are owned by the monitor
    private long _movedAt;
    private bool _wasWaiting;
    private bool _isBlocked; // the pool has not come since it left items waiting

    public static UserCodeQueue OfProcess { get; } = new(
        static item => EnginePool.Queue(item), ProcessWorkers.Callbacks);

    /// <summary>True if user code waits.</summary>
    public bool IsWaiting => !_waiting.IsEmpty;

    public void Add(IThreadPoolWorkItem item)
    {
        _waiting.Enqueue(item);
        pool(this);
        Interlocked.MemoryBarrier(); // see MonitorSignals: queue the item before reading whether it sleeps
        MonitorSignals.WakeIfAsleep();
    }

    /// <summary>Called by the monitor: lets workers run what the pool leaves waiting.</summary>
    /// <param name="now">Current time in milliseconds.</param>
    /// <returns>True if items wait.</returns>
    public bool OnTick(long now)
    {
        bool isWaiting = IsWaiting;
        long looks = Volatile.Read(ref _looks);
        if (looks != _looksBefore) _isBlocked = false;
        if (looks != _looksBefore || !_wasWaiting) _movedAt = now;
        (_looksBefore, _wasWaiting) = (looks, isWaiting);
        if (!isWaiting) return false;
        if (!_isBlocked && now - _movedAt < PoolTime) return true;
        _isBlocked = true; // from now on nothing waits until the pool comes: a stream would move one window each time
        while (_waiting.TryDequeue(out var item)) others.Add(new LeftCode(item));
        return true;
    }

    /// <summary>Runs one item on a thread of the pool.</summary>
    void IThreadPoolWorkItem.Execute()
    {
        Interlocked.Increment(ref _looks);
        if (_waiting.TryDequeue(out var item)) item.Execute();
    }

    /// <summary>Code that the pool has left. It has no deadline of its own: it must run, however late.</summary>
    private sealed class LeftCode(IThreadPoolWorkItem item) : IWork, IWorkOwner
    {
        public string Name => "code that the .NET thread pool has not taken";

        public IWorkOwner Owner => this;

        public IWorkClock? Clock => null;

        public bool IsAbandoned(long now) => false;

        public void Execute() => item.Execute();

        /// <summary>Code of several owners has no log of its own; <see cref="MuxWorkers.Waiting"/> and the metrics of workers show it.</summary>
        public void OnStalled(WorkStall stall)
        {
        }
    }
}
