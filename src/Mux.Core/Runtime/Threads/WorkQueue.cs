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
