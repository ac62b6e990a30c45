using System.Net.Sockets;
using Microsoft.Extensions.Logging;

namespace Mux.Transports.BeetleX;

/// <summary>Log messages of the transport, with the names and numbers of the same events of the socket transport.</summary>
internal static partial class BeetleXTransportLog
{
    [LoggerMessage(3001, LogLevel.Warning, "Accepting at {Address} failed ({Error}); trying again in {Pause}.", EventName = "AcceptFailed")]
    public static partial void AcceptFailed(ILogger logger, MuxAddress address, SocketError error, TimeSpan pause);

    [LoggerMessage(3002, LogLevel.Error, "The callback for a link accepted at {Address} failed; the link was closed.", EventName = "AcceptedCallbackFailed")]
    public static partial void AcceptedCallbackFailed(ILogger logger, Exception exception, MuxAddress address);
}
