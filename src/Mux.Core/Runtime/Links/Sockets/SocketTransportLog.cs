using System.Net.Sockets;
using Microsoft.Extensions.Logging;

namespace Mux.Runtime;

/// <summary>Log messages of the socket transport. Users filter by event name, so the names do not change.</summary>
internal static partial class SocketTransportLog
{
    [LoggerMessage(EventIds.AcceptFailed, LogLevel.Warning, "Accepting at {Address} failed ({Error}); trying again in {Pause}.", EventName = "AcceptFailed")]
    public static partial void AcceptFailed(ILogger logger, MuxAddress address, SocketError error, TimeSpan pause);

    [LoggerMessage(EventIds.AcceptedCallbackFailed, LogLevel.Error, "The callback for a link accepted at {Address} failed; the link was closed.",
        EventName = "AcceptedCallbackFailed")]
    public static partial void AcceptedCallbackFailed(ILogger logger, Exception exception, MuxAddress address);
}
