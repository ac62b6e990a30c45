namespace Mux.Tool.Faults;

/// <summary>Which fault, and whether it was committed: once, by whichever link comes first. Safe for concurrent use.</summary>
internal sealed class FaultPlan(Fault fault)
{
    /// <summary>Replies that a link sends before it may commit the fault: by then the load runs, and links that carry a handful of calls never do.</summary>
    public const int RepliesBefore = 100;

    private int _isCommitted;

    public Fault Fault => fault;

    public bool IsOpen => Volatile.Read(ref _isCommitted) == 0;

    /// <returns>Whether the caller is the one to commit it.</returns>
    public bool TryCommit() => Interlocked.Exchange(ref _isCommitted, 1) == 0;
}
