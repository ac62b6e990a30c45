using System.Collections.Concurrent;

namespace Mux.Runtime;

/// <summary>Queue for work of a connection that must not run where it arises. Thread-safe.</summary>
internal abstract class WorkQueue
{
    /// <summary>The queue of the process.</summary>
    public static WorkQueue OfProcess { get; } = new ProcessQueue();

    /// <summary>
    /// Runs the connection's own work soon, such as sending for other connections: on another thread or after the caller, never before this returns. The work
    /// must not block.
    /// </summary>
    public abstract void Add(IThreadPoolWorkItem item);

    /// <summary>
    /// Like <see cref="Add"/>, for user code, which may block: callbacks of cancelled tokens, producers of streams, handlers of
    /// <see cref="MuxDispatchMode.Pool"/>.
    /// </summary>
    public abstract void AddUserCode(IThreadPoolWorkItem item);

    /// <summary>
    /// User code goes to the .NET thread pool, and elsewhere if that takes none: see <see cref="UserCodeQueue"/>. The connection's own work goes to neither: in
    /// a pool full of blocked user code, a connection would stop sending, including keep-alive.
    /// </summary>
    private sealed class ProcessQueue : WorkQueue
    {
        public override void Add(IThreadPoolWorkItem item)
        {
            if (!ProcessWorkers.Engine.TryRun(item, waits: false)) AddUserCode(item);
        }

        public override void AddUserCode(IThreadPoolWorkItem item) => UserCodeQueue.OfProcess.Add(item);
    }
}

/// <summary>
/// An item that a thread of <see cref="Workers"/> runs. The item may be reused once it runs, so all other members are called before, under the lock of its
/// queue.
/// </summary>
internal interface IWork : IThreadPoolWorkItem
{
    /// <summary>Name of the user code that it runs, for logs.</summary>
    string Name { get; }

    /// <summary>The owner, which is told if all items wait and none of them starts.</summary>
    IWorkOwner Owner { get; }

    /// <summary>Clock of its call's deadline; null if there is no deadline.</summary>
    IWorkClock? Clock { get; }

    /// <summary>True if its call has ended although it still waits: the deadline has passed, or the caller has cancelled. Never runs user code.</summary>
    /// <param name="now">Reading of <see cref="Clock"/>; unused if that is null.</param>
    bool IsAbandoned(long now);

    /// <summary>
    /// Ends the call of an abandoned item that left the queue. Called instead of <see cref="IThreadPoolWorkItem.Execute"/>, on a thread of
    /// <see cref="WorkerKind.Overdue"/>. Never throws.
    /// </summary>
    void Abandon() => Execute();

    /// <summary>Answers a request that left the queue because no item starts and too many wait. Otherwise like <see cref="Abandon"/>.</summary>
    void Refuse() => Abandon();
}

/// <summary>
/// The work item of a link that a thread of the engine runs itself when it has started the link, where another thread
/// would have to be woken for it. For a thread that does nothing else afterwards which others wait for.
/// </summary>
internal static class FollowingWork
{
    // Null unless this thread runs it. Another item that is begun meanwhile, such as the link within that of a user's
    // transport, belongs into a queue: its beginner may wait for it.
    [ThreadStatic]
    private static object? t_owner;

    [ThreadStatic]
    private static bool t_isAdded;

    /// <summary>Runs code, and then the item of an object if the code has added it.</summary>
    /// <param name="owner">The object, which may have no item.</param>
    /// <param name="code">Does not run such code itself.</param>
    /// <param name="state">Passed to the code.</param>
    public static void RunAfter<T>(object owner, Action<T> code, T state)
    {
        t_owner = owner;
        try
        {
            code(state);
        }
        finally
        {
            bool isAdded = t_isAdded;
            (t_owner, t_isAdded) = (null, false);
            if (isAdded) ((IThreadPoolWorkItem)owner).Execute(); // also if the code has thrown: no queue has the item
        }
    }

    /// <summary>Adds the item of an object.</summary>
    /// <returns>False if this thread does not run it: it belongs into a queue.</returns>
    public static bool TryAdd(IThreadPoolWorkItem item)
    {
        if (item != t_owner) return false;
        return t_isAdded = true;
    }
}

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
