namespace Mux.Walk.Tests.Weaving;

/// <summary>What woven methods call first: notes their numbers in order, on the threads that a play watches.</summary>
public static class Probe
{
    private const int Dropped = -1;

    // Allocated once, so that a play allocates nothing for being watched: 100 items of a stream are 20,000 entries.
    private static readonly int[] s_methods = new int[1 << 18];
    private static readonly int[] s_threads = new int[1 << 18];
    private static int s_count;
    private static int s_player;
    private static bool s_watchesPool;
    private static volatile bool s_isRecording;

    /// <summary>Entries so far: where <see cref="Drop"/> may begin.</summary>
    public static int Position => Volatile.Read(ref s_count);

    /// <summary>Notes that a method was entered.</summary>
    public static void Enter(int method)
    {
        if (!s_isRecording || !IsWatched) return;
        int entry = Interlocked.Increment(ref s_count) - 1;
        s_methods[entry] = method;
        s_threads[entry] = Environment.CurrentManagedThreadId;
    }

    /// <summary>
    /// Watches the calling thread, and with it the pool or not. The engine's own threads, such as those of its ticks,
    /// are not watched.
    /// </summary>
    public static void Start(bool watchesPool)
    {
        s_count = 0;
        s_player = Environment.CurrentManagedThreadId;
        s_watchesPool = watchesPool;
        s_isRecording = true;
    }

    /// <summary>Ends the recording.</summary>
    /// <returns>The numbers of the methods, in the order in which they were entered.</returns>
    public static int[] Stop()
    {
        s_isRecording = false;
        return [.. s_methods.AsSpan(0, s_count).ToArray().Where(method => method != Dropped)];
    }

    /// <summary>
    /// Forgets what the calling thread has entered: it looked whether something had happened, and nothing had.
    /// </summary>
    /// <param name="since">Earlier entries stay.</param>
    public static void Drop(int since)
    {
        for (int i = since; i < Position; i++)
        {
            if (s_threads[i] == Environment.CurrentManagedThreadId) s_methods[i] = Dropped;
        }
    }

    private static bool IsWatched =>
        Environment.CurrentManagedThreadId == s_player || s_watchesPool && Thread.CurrentThread.IsThreadPoolThread;
}
