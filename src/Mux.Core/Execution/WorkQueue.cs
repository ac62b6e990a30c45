namespace Mux.Execution;

/// <summary>Where a connection puts what must not run where it came up. Safe for concurrent use.</summary>
internal abstract class WorkQueue
{
    /// <summary>Of the process.</summary>
    public static WorkQueue OfProcess { get; } = new ProcessQueue();

    /// <summary>
    /// Runs the connection's own work soon, such as sending for others, on another thread or after the caller; never before this returns. It does not block.
    /// </summary>
    public abstract void Add(IThreadPoolWorkItem item);

    /// <summary>
    /// The same for what runs user code and may block: callbacks of cancelled tokens, producers of streams, handlers of <see cref="MuxDispatchMode.Pool"/>.
    /// </summary>
    public abstract void AddUserCode(IThreadPoolWorkItem item);

    /// <summary>
    /// User code goes to the .NET thread pool: not to <see cref="Workers"/>, where it would wait behind code that may wait for it. The connection's own work
    /// goes to neither: in a pool that is full of blocked code a connection would stop sending, keep-alive included.
    /// </summary>
    private sealed class ProcessQueue : WorkQueue
    {
        public override void Add(IThreadPoolWorkItem item)
        {
            if (!ProcessWorkers.Engine.TryRun(item, waits: false)) AddUserCode(item);
        }

        public override void AddUserCode(IThreadPoolWorkItem item) => ThreadPool.UnsafeQueueUserWorkItem(item, preferLocal: false);
    }
}
