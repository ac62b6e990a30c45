using System.Net.Sockets;
using Microsoft.Extensions.Logging;

namespace Mux.Transports.Sockets;

/// <summary>Log events of the socket transport, 3001 to 3099. Ids are never used again; a method's name is the event's name.</summary>
internal static partial class SocketTransportLog
{
    [LoggerMessage(3001, LogLevel.Warning, "Accepting at {Address} failed ({Error}); trying again in {Pause}.")]
    public static partial void AcceptFailed(ILogger logger, MuxAddress address, SocketError error, TimeSpan pause);

    [LoggerMessage(3002, LogLevel.Error, "The callback for a link accepted at {Address} failed; the link was closed.")]
    public static partial void AcceptedCallbackFailed(ILogger logger, Exception exception, MuxAddress address);
}
