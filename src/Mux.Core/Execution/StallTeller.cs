namespace Mux.Execution;

/// <summary>
/// Tells the owner of waiting work that nothing moves. One telling at a time: a log that blocks keeps one thread, however long the stall lasts. Safe for
/// concurrent use.
/// </summary>
internal sealed class StallTeller(ThreadStarter start)
{
    private volatile bool _isTelling;

    /// <summary>Whether an owner is still at what it was told. Becomes true on the monitor's thread alone.</summary>
    public bool IsTelling => _isTelling;

    /// <summary>
    /// Calls the owner on a thread of its own, because the .NET pool may be blocked as well; on that pool if the system gives no thread. No lock is held.
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
                // A log that throws must not end the process, and there is no other to say so.
            }
            finally
            {
                _isTelling = false;
            }
        }
    }
}
