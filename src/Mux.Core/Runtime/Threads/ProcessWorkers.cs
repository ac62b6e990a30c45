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
