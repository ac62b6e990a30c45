namespace Mux.Execution;

/// <summary>Where a connection puts what must not run where it came up: sending for others, parked requests, callbacks of cancelled tokens. Safe for concurrent use.</summary>
internal abstract class WorkQueue
{
    /// <summary>Runs <paramref name="item"/> soon, on another thread or behind the caller; never before this returns.</summary>
    public abstract void Add(IThreadPoolWorkItem item);
}
