namespace Mux.Runtime;

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
