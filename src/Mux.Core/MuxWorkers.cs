using Mux.Runtime;

namespace Mux;

/// <summary>
/// The threads of this process that run user code that is too expensive for the receiving threads (<see cref="MuxDispatchMode.Adaptive"/>). Handlers and the
/// code after calls have separate threads, so that a handler that blocks on a call never waits for other handlers. Mux starts few threads, and more of them
/// while threads are blocked. Safe for concurrent use.
/// </summary>
public static class MuxWorkers
{
    /// <summary>
    /// Maximum number of threads of each of four kinds, including blocked threads. The first kind runs handlers, the second the code after calls. The third
    /// runs other user code when the .NET thread pool has no thread for it. The fourth ends calls that timed out while they waited for a thread. The process
    /// has at most four times this number of threads.
    /// </summary>
    /// <remarks>
    /// When all threads for handlers are blocked, up to the same number of further requests wait. Additional requests fail with
    /// <see cref="MuxStatus.ResourceExhausted"/>, not executed, with <see cref="MuxFailure.RetryAfter"/>. When all threads for the code after calls are
    /// blocked, the .NET thread pool runs it. Lowering the value ends threads that have been idle for 10 s.
    /// </remarks>
    /// <value>4 to 32,767. By default the value of <c>Mux.MaxWorkerThreads</c> in runtimeconfig.json; without it 2,048, or one for each 512 KiB of memory that
    /// the process may use if that is less.
    /// </value>
    /// <exception cref="ArgumentOutOfRangeException">The value is out of its range.</exception>
    public static int MaxThreads
    {
        get => ProcessWorkers.Handlers.MaxThreads;
        set
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(value, ProcessWorkers.LowestMaxThreads);
            ArgumentOutOfRangeException.ThrowIfGreaterThan(value, ProcessWorkers.HighestMaxThreads);
            foreach (var workers in UserCode) workers.MaxThreads = value;
        }
    }

    /// <summary>Number of existing threads of the kinds of <see cref="MaxThreads"/>, idle ones included.</summary>
    public static int Threads => UserCode.Sum(static workers => workers.Threads);

    /// <summary>Number of requests, completions of calls and other user code that wait for a thread of Mux.</summary>
    public static int Waiting => UserCode.Sum(static workers => workers.Waiting);

    /// <summary>Number of requests that were refused because too many waited, since the start of the process.</summary>
    public static long Refused => ProcessWorkers.Handlers.Refused;

    /// <summary>Number of times that another thread took over because user code blocked a receiving thread, since the start of the process.</summary>
    public static long TakeOvers => TurnMonitor.Shared.TakenOver;

    /// <summary>Number of times that user code blocked a receiving thread and no other thread was left to take over, since the start of the process.</summary>
    public static long TakeOversRefused => TurnMonitor.Shared.Refused;

    private static IEnumerable<Workers> UserCode =>
        [ProcessWorkers.Handlers, ProcessWorkers.Completions, ProcessWorkers.Callbacks, ProcessWorkers.Overdue];
}
