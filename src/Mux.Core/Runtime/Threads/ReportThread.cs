namespace Mux.Runtime;

/// <summary>
/// Reports what blocks on a thread of its own. One report at a time: a log that blocks holds one thread, however many reports there are. Thread-safe.
/// </summary>
internal sealed class ReportThread(ThreadStarter start)
{
    private volatile bool _isTelling;

    /// <summary>True while a report runs. Only the monitor's thread sets it to true.</summary>
    public bool IsTelling => _isTelling;

    /// <summary>
    /// Runs a report on a new thread, because the .NET pool may be blocked as well; on that pool if the system has no more threads. No lock may be held.
    /// </summary>
    public void Tell(Action report)
    {
        _isTelling = true;
        if (!start(Run, "Mux log")) TellOnPool(Run);

        void Run()
        {
            RunSafely(report);
            _isTelling = false;
        }
    }

    /// <summary>Runs a report on the .NET pool, where several may run at once.</summary>
    public static void TellOnPool(Action report) => EnginePool.Queue(static report => RunSafely(report), report);

    private static void RunSafely(Action report)
    {
        try
        {
            report();
        }
        catch (Exception)
        {
            // A log that throws must not end the process, and there is no other log to report it.
        }
    }
}
