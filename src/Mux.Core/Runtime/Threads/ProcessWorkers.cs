using System.Globalization;

namespace Mux.Runtime;

/// <summary>The worker threads of the process, by kind of work.</summary>
internal static class ProcessWorkers
{
    /// <summary>Setting in runtimeconfig.json, for programs that set nothing in code.</summary>
    public const string MaxThreadsKnob = "Mux.MaxWorkerThreads";

    public const int LowestMaxThreads = 4;
    public const int HighestMaxThreads = 32_767;

    /// <summary>Default maximum in a process with enough memory.</summary>
    private const int MostDefaultThreads = 2_048;

    /// <summary>Memory per thread for the default: a blocked thread holds 60 to 100 KiB of stack, and its call some more.</summary>
    private const long MemoryPerThread = 512 * 1024;

    /// <summary>
    /// Maximum number of threads that replace stuck ones and lead a loop from then on. After a take-over the code runs off the loops, so few are needed at
    /// once; if they run short, no user code runs on loops.
    /// </summary>
    private const int MaxLeaders = 512;

    /// <summary>Minimum: the work itself does not block, but its logs and metrics may.</summary>
    private const int LeastEngineThreads = 16;

    public static Workers Handlers { get; } = new(WorkerKind.Handlers, ReadKnob());

    /// <summary>If the maximum is reached and no item starts, the .NET thread pool helps.</summary>
    public static Workers Completions { get; } = new(WorkerKind.Completions, ReadKnob());

    public static Workers Callbacks { get; } = new(WorkerKind.Callbacks, ReadKnob());

    public static Workers Overdue { get; } = new(WorkerKind.Overdue, ReadKnob());

    public static Workers Engine { get; } = new(WorkerKind.Engine, Math.Max(LeastEngineThreads, 2 * Environment.ProcessorCount));

    public static Workers Leaders { get; } = new(WorkerKind.Leaders, MaxLeaders);

    public static IReadOnlyList<Workers> All { get; } = [Handlers, Completions, Callbacks, Overdue, Engine, Leaders];

    /// <summary>Default maximum number of threads per kind: 2,048, or one per 512 KiB in a process with less than 1 GiB of memory.</summary>
    public static int DefaultMaxThreads =>
        (int)Math.Clamp(GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / MemoryPerThread, LowestMaxThreads, MostDefaultThreads);

    private static int ReadKnob() => AppContext.GetData(MaxThreadsKnob) is { } data
        && int.TryParse(data.ToString(), CultureInfo.InvariantCulture, out int value)
        ? Math.Clamp(value, LowestMaxThreads, HighestMaxThreads)
        : DefaultMaxThreads;
}

/// <summary>
/// Counts the parties that may still use a resource. A party enters before use and leaves after it; the last one to leave releases the resource. After that, no
/// party can enter. Use as a field and do not copy. Thread-safe.
/// </summary>
internal struct PartyCount
{
    private int _count;

    /// <summary>True if no party is left, or none has entered yet.</summary>
    public readonly bool IsEmpty => _count == 0;

    /// <summary>Number of parties.</summary>
    public int Count => Volatile.Read(ref _count);

    /// <summary>Enters the first parties, such as the owner. Before this, no other party can enter.</summary>
    public void Open(int parties = 1) => _count = parties;

    /// <summary>Enters a party. False if the count is not open yet or the last party has left.</summary>
    public bool TryEnter()
    {
        int count = Volatile.Read(ref _count);
        while (count > 0)
        {
            int seen = Interlocked.CompareExchange(ref _count, count + 1, count);
            if (seen == count) return true;
            count = seen;
        }

        return false;
    }

    /// <summary>Leaves as a party.</summary>
    /// <returns>True if it was the last party.</returns>
    public bool Leave() => Interlocked.Decrement(ref _count) == 0;
}

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
