namespace Mux.Execution;

/// <summary>
/// Tells the owner of waiting work that nothing starts. One report at a time: a log that blocks holds one thread, however long the stall lasts. Thread-safe.
/// </summary>
internal sealed class StallTeller(ThreadStarter start)
{
    private volatile bool _isTelling;

    /// <summary>True while an owner is being told. Only the monitor's thread sets it to true.</summary>
    public bool IsTelling => _isTelling;

    /// <summary>
    /// Calls the owner on a new thread, because the .NET pool may be blocked as well; on that pool if the system has no more threads. No lock may be held.
    /// </summary>
    public void Tell(IWorkOwner owner, WorkStall stall)
    {
        _isTelling = true;
        if (!start(Run, "Mux log")) ThreadPool.UnsafeQueueUserWorkItem(static run => run(), Run, preferLocal: false);

        void Run()
        {
            try
            {
                owner.OnStalled(stall);
            }
            catch (Exception)
            {
                // A log that throws must not end the process, and there is no other log to report it.
            }
            finally
            {
                _isTelling = false;
            }
        }
    }
}
