namespace Mux.Tool.Faults;

/// <summary>The fault, and whether it was committed: once, by the first link that can. Thread-safe.</summary>
internal sealed class FaultPlan(Fault fault)
{
    /// <summary>Number of replies before a link may commit the fault: by then the load runs, and links with only a few calls never do.</summary>
    public const int RepliesBefore = 100;

    private int _isCommitted;

    public Fault Fault => fault;

    public bool IsOpen => Volatile.Read(ref _isCommitted) == 0;

    /// <returns>True if the caller must commit it.</returns>
    public bool TryCommit() => Interlocked.Exchange(ref _isCommitted, 1) == 0;
}
