using Microsoft.Extensions.Logging;

namespace Mux.Runtime;

/// <summary>Log messages of the epoll transport, in addition to those of all sockets. Users filter by event name, so the names do not change.</summary>
internal static partial class EpollTransportLog
{
    [LoggerMessage(EventIds.LinkFault, LogLevel.Error, "The link with {RemoteAddress} was closed after an internal error.", EventName = "LinkFault")]
    public static partial void LinkFault(ILogger logger, Exception exception, string remoteAddress);

    [LoggerMessage(EventIds.ListenerFault, LogLevel.Error, "Accepting at {Address} failed with an internal error.", EventName = "ListenerFault")]
    public static partial void ListenerFault(ILogger logger, Exception exception, MuxAddress address);
}
