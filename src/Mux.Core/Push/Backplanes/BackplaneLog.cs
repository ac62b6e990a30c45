using Microsoft.Extensions.Logging;
using Mux.Runtime;

namespace Mux.Push;

/// <summary>Log messages of backplanes. Users filter by event name, so the names do not change.</summary>
internal static partial class BackplaneLog
{
    [LoggerMessage(EventIds.BackplaneConnected, LogLevel.Information, "{Backplane} is connected: what is published or called reaches all servers.",
        EventName = "BackplaneConnected")]
    public static partial void Connected(ILogger logger, string backplane);

    [LoggerMessage(EventIds.BackplaneInterrupted, LogLevel.Warning, "{Backplane} is interrupted: {Reason}. What is published or called reaches the " +
        "subscribers and group members of this server alone, until it is connected again by itself.", EventName = "BackplaneInterrupted")]
    public static partial void Interrupted(ILogger logger, string backplane, string reason, Exception? error);

    [LoggerMessage(EventIds.BackplaneQueueFull, LogLevel.Warning, "{Backplane} is too slow: {Queued} messages wait, and further ones are not taken. They " +
        "reach the subscribers and group members of this server alone. {Refused} so far. Logged at most every 10 s.", EventName = "BackplaneQueueFull")]
    public static partial void QueueFull(ILogger logger, string backplane, int queued, long refused);

    [LoggerMessage(EventIds.BackplaneMessageSkipped, LogLevel.Warning, "{Backplane} has a message in {Channel} that is skipped: {Reason} {Skipped} so far. " +
        "Logged at most every 10 s.", EventName = "BackplaneMessageSkipped")]
    public static partial void Skipped(ILogger logger, string backplane, string channel, string reason, long skipped);

    [LoggerMessage(EventIds.BackplaneMessageRejected, LogLevel.Warning, "{Backplane} does not take a message of {Channel}, and serves others: {Reason} It " +
        "reaches the subscribers and group members of this server alone. Give it room, or the right to write there. {Refused} so far. Logged at most every " +
        "10 s.", EventName = "BackplaneMessageRejected")]
    public static partial void Rejected(ILogger logger, string backplane, string channel, string reason, long refused);
}
