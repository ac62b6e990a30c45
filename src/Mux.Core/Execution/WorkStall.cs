namespace Mux.Execution;

/// <summary>Work waits, and none of its kind starts: the threads are all blocked.</summary>
/// <param name="Kind">Of the threads: handlers, completions or overdue.</param>
/// <param name="Seconds">For how long nothing has started.</param>
/// <param name="Waiting">Items that wait.</param>
/// <param name="Threads">Threads there are.</param>
/// <param name="MaxThreads">Threads there may be.</param>
/// <param name="IsDenied">Whether the system gives no more threads than these.</param>
/// <param name="Running">The code that keeps the threads, by name, most threads first, with their number.</param>
internal sealed record WorkStall(
    WorkerKind Kind, double Seconds, int Waiting, int Threads, int MaxThreads, bool IsDenied, IReadOnlyList<(string Name, int Threads)> Running)
{
    /// <summary>Names that fit into a line of a log.</summary>
    private const int MostNames = 5;

    /// <summary>The code that keeps the threads, as a log shows it: <c>shop.Orders/Find (56 threads), ...</c></summary>
    public string DescribeRunning()
    {
        var names = string.Join(", ", Running.Take(MostNames).Select(code => $"{code.Name} ({code.Threads} {(code.Threads == 1 ? "thread" : "threads")})"));
        return Running.Count > MostNames ? $"{names} and {Running.Count - MostNames} others" : names;
    }
}
