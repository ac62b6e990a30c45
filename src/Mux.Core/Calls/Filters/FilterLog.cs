using Microsoft.Extensions.Logging;
using Mux.Filters;
using Mux.Runtime;

namespace Mux.Calls;

/// <summary>Log messages of the filters that come with the runtime. Users filter by event name, so the names do not change. Never logs a payload.</summary>
internal static partial class FilterLog
{
    [LoggerMessage(EventId = EventIds.FilteredCallEnded, Message = "{Side} call of {Method}, peer {Peer}, user {User}, ended with {Status} after " +
        "{Milliseconds:0.000} ms; {ItemsSent} items sent, {ItemsReceived} received.", EventName = "FilteredCallEnded")]
    public static partial void CallEnded(ILogger logger, LogLevel level, MuxCallSide side, string method, string peer, string? user, MuxStatus? status,
        double milliseconds, long itemsSent, long itemsReceived, Exception? error);

    [LoggerMessage(EventIds.ExceptionMapped, LogLevel.Debug, "An exception in a call of {Method} is answered with {Status}.", EventName = "ExceptionMapped")]
    public static partial void ExceptionMapped(ILogger logger, string method, MuxStatus status, Exception error);
}
