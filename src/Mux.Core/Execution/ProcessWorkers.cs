using System.Globalization;

namespace Mux.Execution;

/// <summary>The worker threads of the process, by what they run.</summary>
internal static class ProcessWorkers
{
    /// <summary>The knob in runtimeconfig.json, for programs that set nothing in code.</summary>
    public const string MaxThreadsKnob = "Mux.MaxWorkerThreads";

    public const int LowestMaxThreads = 4;
    public const int HighestMaxThreads = 32_767;

    /// <summary>Of a process with much memory.</summary>
    private const int MostDefaultThreads = 2_048;

    /// <summary>Memory for each of them by default: a thread that blocks holds 60 to 100 KiB of stack, and its call some more.</summary>
    private const long MemoryPerThread = 512 * 1024;

    /// <summary>
    /// Threads that take the place of stuck ones, and lead a loop from then on. After a take-over the code is off the loops, so few come together; and when
    /// they are short, nothing of the user runs on a loop any more.
    /// </summary>
    private const int MaxLeaders = 512;

    /// <summary>Their own work does not block; the logs and metrics that it tells may.</summary>
    private const int LeastEngineThreads = 16;

    public static Workers Handlers { get; } = new(WorkerKind.Handlers, ReadKnob());

    /// <summary>Where there may be no more threads and none of them moves, the .NET thread pool helps.</summary>
    public static Workers Completions { get; } = new(WorkerKind.Completions, ReadKnob());

    public static Workers Overdue { get; } = new(WorkerKind.Overdue, ReadKnob());

    public static Workers Engine { get; } = new(WorkerKind.Engine, Math.Max(LeastEngineThreads, 2 * Environment.ProcessorCount));

    public static Workers Leaders { get; } = new(WorkerKind.Leaders, MaxLeaders);

    public static IReadOnlyList<Workers> All { get; } = [Handlers, Completions, Overdue, Engine, Leaders];

    /// <summary>Threads of a kind unless something else is said: 2,048, and in a process with less than 1 GiB of memory one for each 512 KiB.</summary>
    public static int DefaultMaxThreads => (int)Math
        .Clamp(GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / MemoryPerThread, LowestMaxThreads, MostDefaultThreads);

    private static int ReadKnob() => AppContext.GetData(MaxThreadsKnob) is { } data
        && int.TryParse(data.ToString(), CultureInfo.InvariantCulture, out int value)
        ? Math.Clamp(value, LowestMaxThreads, HighestMaxThreads)
        : DefaultMaxThreads;
}
