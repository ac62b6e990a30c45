namespace Mux.Execution;

/// <summary>Where a connection puts what must not run where it came up: sending for others, parked requests, callbacks of cancelled tokens. Safe for concurrent use.</summary>
internal abstract class WorkQueue
{
    /// <summary>The .NET thread pool: not <see cref="Workers"/>, where it would wait behind user code that may wait for it.</summary>
    public static WorkQueue Pool { get; } = new PoolQueue();

    /// <summary>Runs <paramref name="item"/> soon, on another thread or behind the caller; never before this returns.</summary>
    public abstract void Add(IThreadPoolWorkItem item);

    private sealed class PoolQueue : WorkQueue
    {
        public override void Add(IThreadPoolWorkItem item) => ThreadPool.UnsafeQueueUserWorkItem(item, preferLocal: false);
    }
}
