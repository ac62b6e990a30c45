using System.Collections.Concurrent;

namespace Mux.Runtime;

/// <summary>
/// The engine's only way to the .NET thread pool. Code of the user that ran on a thread of the pool may have had it interrupted
/// (<see cref="Thread.Interrupt"/>). The pool keeps such a thread, and the interrupt would strike at the next wait for a lock, in whatever runs there then: an
/// item of the engine would not do what it owes, and the exception would end the process. Thread-safe.
/// </summary>
/// <remarks>
/// The items stay in a queue of the engine, and the pool gets one entry for each: so no item needs to know of interrupts, and none is allocated for them.
/// </remarks>
internal sealed class EnginePool : IThreadPoolWorkItem
{
    private static readonly EnginePool s_entry = new();

    private readonly ConcurrentQueue<IThreadPoolWorkItem> _waiting = new();

    private EnginePool()
    {
    }

    /// <summary>Runs an item behind all that waits in the pool, without the ExecutionContext of the caller.</summary>
    public static void Queue(IThreadPoolWorkItem item)
    {
        s_entry._waiting.Enqueue(item);
        ThreadPool.UnsafeQueueUserWorkItem(s_entry, preferLocal: false);
    }

    /// <inheritdoc cref="Queue(IThreadPoolWorkItem)"/>
    public static void Queue<T>(Action<T> run, T state) => Queue(new Item<T>(run, state));

    void IThreadPoolWorkItem.Execute()
    {
        EngineThread.AbsorbInterrupt();
        if (!_waiting.TryDequeue(out var item)) return;
        try
        {
            item.Execute();
        }
        catch (ThreadInterruptedException)
        {
            // Code of the user within the item left it. It must not end the process, but the item may have stopped at a lock.
        }
    }

    private sealed class Item<T>(Action<T> run, T state) : IThreadPoolWorkItem
    {
        public void Execute() => run(state);
    }
}

/// <summary>The queue of the process's .NET thread pool.</summary>
internal sealed class ProcessPoolQueue : IPoolQueue
{
    private ProcessPoolQueue()
    {
    }

    public static ProcessPoolQueue Instance { get; } = new();

    /// <inheritdoc/>
    public bool IsOwnThread => Thread.CurrentThread.IsThreadPoolThread;

    /// <inheritdoc/>
    public bool IsEmpty => ThreadPool.PendingWorkItemCount == 0;

    /// <inheritdoc/>
    public PostponedSends Postponed => PostponedSends.OfProcess;

    /// <inheritdoc/>
    public void Add(IThreadPoolWorkItem item) => EnginePool.Queue(item);
}

/// <summary>What the engine asks the .NET thread pool before it leaves work to its threads. Thread-safe. Tests have a queue of their own.</summary>
internal interface IPoolQueue
{
    /// <summary>True if the caller runs on a thread of the pool.</summary>
    bool IsOwnThread { get; }

    /// <summary>True if nothing waits for a thread of the pool. Another answer may be true a moment later.</summary>
    bool IsEmpty { get; }

    /// <summary>Watches the sends that were left to this pool.</summary>
    PostponedSends Postponed { get; }

    /// <summary>Lets a thread of the pool run <paramref name="item"/> behind all that waits.</summary>
    void Add(IThreadPoolWorkItem item);
}
