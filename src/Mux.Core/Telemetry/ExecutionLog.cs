using System.Globalization;
using Microsoft.Extensions.Logging;
using Mux.Runtime;

namespace Mux.Telemetry;

/// <summary>Log messages of channels and servers about user code that blocks threads. Users filter by event name, so the names do not change.</summary>
internal static partial class ExecutionLog
{
    /// <summary>Number of take-overs before one is logged: earlier ones may come from the compilation of the first run, or from a busy machine.</summary>
    private const int TakeOversToTell = 3;

    /// <summary>Logs that user code kept a turn.</summary>
    public static void Blocked(ILogger logger, Placement? code, bool refused, SuppressedCount others)
    {
        if (code is { TakeOvers: < TakeOversToTell } and not ListenerPlacement && !refused) return;
        var name = code?.Name ?? "The code after a call";
        if (refused) TakeOverRefused(logger, name, ProcessWorkers.Leaders.MaxThreads, others);
        else TakenOver(logger, name, code?.Advice ?? Placement.InlineAdvice, others); // code without a placement has the mode Inline
    }

    [LoggerMessage(EventIds.UserCodeBlocked, LogLevel.Warning, "{Code} blocked the receiving thread of its connection for a few milliseconds, so another " +
        "thread took over. {Advice}{Others}", EventName = "UserCodeBlocked")]
    private static partial void TakenOver(ILogger logger, string code, string advice, SuppressedCount others);

    [LoggerMessage(EventIds.TakeOverRefused, LogLevel.Error, "{Code} blocks the receiving thread of its connection, and all {MaxThreads} threads that " +
        "could take over are blocked as well: all connections of this thread wait. Await instead of blocking in this code.{Others}",
        EventName = "TakeOverRefused")]
    private static partial void TakeOverRefused(ILogger logger, string code, int maxThreads, SuppressedCount others);

    /// <summary>Logs that work waits for threads and none of it starts.</summary>
    public static void Stalled(ILogger logger, WorkStall stall)
    {
        if (!logger.IsEnabled(LogLevel.Error)) return;
        var what = stall.Kind == WorkerKind.Handlers ? "requests" : "completions of calls";
        var limit = stall.Threads >= stall.MaxThreads ? $"all {stall.MaxThreads} that MuxWorkers.MaxThreads allows"
            : string.Create(CultureInfo.InvariantCulture, $"{stall.Threads}{(stall.IsDenied ? "; the system has no more" : "")}");
        Stalled(logger, stall.Waiting, what, Math.Round(stall.Seconds, 1), limit, stall.DescribeRunning());
    }

    [LoggerMessage(EventIds.WorkStalled, LogLevel.Error, "{Waiting} {Kind} wait for a thread, and none has started for {Seconds} s. The threads ({Threads}) " +
        "are blocked in {Code}. Await instead of blocking in this code.", EventName = "WorkStalled")]
    private static partial void Stalled(ILogger logger, int waiting, string kind, double seconds, string threads, string code);

    [LoggerMessage(EventIds.WorkRefused, LogLevel.Error, "A call of {Method} was refused: the {Threads} handler threads are busy (MuxWorkers.MaxThreads is " +
        "{MaxThreads}), and {Waiting} calls wait for one. Await instead of blocking in handlers, or raise MuxWorkers.MaxThreads.{Others}",
        EventName = "WorkRefused")]
    public static partial void WorkRefused(ILogger logger, string method, int threads, int maxThreads, int waiting, SuppressedCount others);
}
