namespace Mux.Runtime;

/// <summary>
/// Signals between the monitor of turns and the code it watches. Turns, placements and workers use them without knowing the monitor, which knows all of them.
/// </summary>
/// <remarks>
/// No wake-up is lost: a turn stores its word, then reads <see cref="s_asleep"/>; the monitor stores <see cref="s_asleep"/>, makes every core pass a barrier,
/// then reads the words. One of the two sees the other's store, and turns only pay a plain load.
/// </remarks>
internal static class MonitorSignals
{
    private static AutoResetEvent? s_wake; // written before s_asleep; without an initializer, so that no use pays for a check of it
    private static volatile bool s_asleep;
    private static volatile bool s_isShortOfLeaders;

    /// <summary>
    /// True if nearly all threads that could take over a turn are in use. User code then runs on the other workers whatever it costs, so that a thread is left
    /// for code that is already in a turn. Written by the monitor.
    /// </summary>
    public static bool IsShortOfLeaders
    {
        get => s_isShortOfLeaders;
        set => s_isShortOfLeaders = value;
    }

    /// <summary>Wakes the monitor because a turn has begun or work waits for a worker. Called after the store that says so.</summary>
    public static void WakeIfAsleep()
    {
        if (s_asleep) Wake();
    }

    /// <summary>Blocks the monitor until there is work.</summary>
    /// <param name="hasWork">Checks for work once more, after the monitor counts as asleep.</param>
    public static void Sleep(Func<bool> hasWork)
    {
        s_wake ??= new AutoResetEvent(false); // lives as long as the process
        s_asleep = true;
        Interlocked.MemoryBarrierProcessWide();
        if (!hasWork()) EngineThread.Await(s_wake, Timeout.InfiniteTimeSpan);
        s_asleep = false; // also after a signal that was left from before
    }

    private static void Wake()
    {
        s_asleep = false;
        s_wake!.Set();
    }
}
