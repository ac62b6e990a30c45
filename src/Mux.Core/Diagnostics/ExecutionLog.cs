using System.Globalization;
using Microsoft.Extensions.Logging;
using Mux.Execution;

namespace Mux.Diagnostics;

/// <summary>What channels and servers log about user code that keeps threads. The event names are what people filter by: they do not change.</summary>
internal static partial class ExecutionLog
{
    /// <summary>Before that it may have been the compilation of its first run, or a machine that had no time for it.</summary>
    private const int TakeOversToTell = 3;

    /// <summary>User code kept a turn.</summary>
    public static void Blocked(ILogger logger, Placement? code, bool refused, int others)
    {
        if (code is { TakeOvers: < TakeOversToTell } && !refused) return;
        var name = code?.Name ?? "The code after a call";
        if (refused) TakeOverRefused(logger, name, ProcessWorkers.Leaders.MaxThreads, others);
        else TakenOver(logger, name, others);
    }

    [LoggerMessage(EventIds.UserCodeBlocked, LogLevel.Warning, "{Code} kept the thread that receives for its connection for some milliseconds: another " +
        "thread went on. Let it await instead of blocking, or run it elsewhere (MuxDispatchMode.Adaptive or Pool). Since the last such message {Others} " +
        "others did.", EventName = "UserCodeBlocked")]
    private static partial void TakenOver(ILogger logger, string code, int others);

    [LoggerMessage(EventIds.TakeOverRefused, LogLevel.Error, "{Code} keeps the thread that receives for its connection, and all {MaxThreads} threads that " +
        "could continue in its place are blocked as well: everything that this thread serves waits for it. Let it await instead of blocking. Since the last " +
        "such message {Others} others did.", EventName = "TakeOverRefused")]
    private static partial void TakeOverRefused(ILogger logger, string code, int maxThreads, int others);

    /// <summary>Work waits for threads, and none of it moves.</summary>
    public static void Stalled(ILogger logger, WorkStall stall)
    {
        if (!logger.IsEnabled(LogLevel.Error)) return;
        var what = stall.Kind == WorkerKind.Handlers ? "requests" : "completions of calls";
        var limit = stall.Threads >= stall.MaxThreads ? $"all {stall.MaxThreads} that MuxWorkers.MaxThreads allows"
            : string.Create(CultureInfo.InvariantCulture, $"{stall.Threads}{(stall.IsDenied ? "; the system gives no more" : "")}");
        Stalled(logger, stall.Waiting, what, Math.Round(stall.Seconds, 1), limit, stall.DescribeRunning());
    }

    [LoggerMessage(EventIds.WorkStalled, LogLevel.Error, "{Waiting} {Kind} wait for a thread, and none has started for {Seconds} s. The threads ({Threads}) " +
        "are blocked in {Code}. Let this code await instead of blocking.", EventName = "WorkStalled")]
    private static partial void Stalled(ILogger logger, int waiting, string kind, double seconds, string threads, string code);

    [LoggerMessage(EventIds.WorkRefused, LogLevel.Error, "A call of {Method} was refused: the {Threads} threads for handlers are busy, of {MaxThreads} that " +
        "MuxWorkers.MaxThreads allows, and {Waiting} calls wait for one. Since the last such message {Others} others were.", EventName = "WorkRefused")]
    public static partial void WorkRefused(ILogger logger, string method, int threads, int maxThreads, int waiting, int others);
}
