using Microsoft.Extensions.Logging;
using Mux.Diagnostics;

namespace Mux.Transports.Epoll;

/// <summary>What the epoll transport logs beside what all sockets do. The event names are what people filter by: they do not change.</summary>
internal static partial class EpollTransportLog
{
    [LoggerMessage(EventIds.LinkFault, LogLevel.Error, "The link with {RemoteAddress} was closed after an internal error.", EventName = "LinkFault")]
    public static partial void LinkFault(ILogger logger, Exception exception, string remoteAddress);

    [LoggerMessage(EventIds.ListenerFault, LogLevel.Error, "Accepting at {Address} had an internal error.", EventName = "ListenerFault")]
    public static partial void ListenerFault(ILogger logger, Exception exception, MuxAddress address);
}
