using Microsoft.Extensions.Logging;

namespace Mux.Runtime;

/// <summary>Log messages of transports over streams. Users filter by event name, so the names do not change.</summary>
internal static partial class StreamTransportLog
{
    [LoggerMessage(EventIds.StreamAcceptFailed, LogLevel.Warning, "Accepting at {Address} failed; trying again in {Pause}.", EventName = "StreamAcceptFailed")]
    public static partial void StreamAcceptFailed(ILogger logger, Exception exception, MuxAddress address, TimeSpan pause);

    [LoggerMessage(EventIds.StreamCallbackFailed, LogLevel.Error, "The callback for a link accepted at {Address} failed; the link was closed.",
        EventName = "StreamCallbackFailed")]
    public static partial void StreamCallbackFailed(ILogger logger, Exception exception, MuxAddress address);
}
