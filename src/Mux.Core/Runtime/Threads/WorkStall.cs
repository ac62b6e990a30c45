namespace Mux.Runtime;

/// <summary>A stall: work waits, and none of its kind starts because all threads are blocked.</summary>
/// <param name="Kind">Kind of the threads: handlers, completions or overdue.</param>
/// <param name="Seconds">Time since the last start.</param>
/// <param name="Waiting">Number of waiting items.</param>
/// <param name="Threads">Number of threads.</param>
/// <param name="MaxThreads">Maximum number of threads.</param>
/// <param name="IsDenied">True if the system has no more threads.</param>
/// <param name="Running">Names of the code that occupies the threads with their number of threads, most threads first.</param>
internal sealed record WorkStall(
    WorkerKind Kind, double Seconds, int Waiting, int Threads, int MaxThreads, bool IsDenied, IReadOnlyList<(string Name, int Threads)> Running)
{
    /// <summary>Number of names that fit into a log line.</summary>
    private const int MostNames = 5;

    /// <summary>Describes the code that occupies the threads for a log: <c>shop.Orders/Find (56 threads), ...</c></summary>
    public string DescribeRunning()
    {
        var names = string.Join(", ", Running.Take(MostNames).Select(code => $"{code.Name} ({code.Threads} {(code.Threads == 1 ? "thread" : "threads")})"));
        return Running.Count > MostNames ? $"{names} and {Running.Count - MostNames} others" : names;
    }
}
