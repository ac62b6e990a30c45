using Microsoft.Extensions.Logging;
using Mux.Sessions.Lifecycle;

namespace Mux.Diagnostics;

/// <summary>What a channel logs. The event names are what people filter by: they do not change.</summary>
internal static partial class ClientLog
{
    [LoggerMessage(EventIds.ClientConnectionOpened, LogLevel.Debug, "{Channel}: connection to {Endpoint} is open: instance {PeerInstance}, idle time " +
        "{PeerIdleMilliseconds} ms.", EventName = "ClientConnectionOpened")]
    public static partial void ConnectionOpened(ILogger logger, string channel, string endpoint, Guid peerInstance, int peerIdleMilliseconds);

    public static void ConnectionClosed(
        ILogger logger, LogLevel level, string channel, string endpoint, CloseReason reason, string text, int others, Exception? error)
    {
        var shown = WithoutTold(logger, error);
        ConnectionClosedWith(logger, level, channel, endpoint, reason, text, others, shown);
    }

    public static void ConnectFailed(
        ILogger logger, LogLevel level, string channel, string endpoint, long delayMilliseconds, string text, int others, Exception? error)
    {
        var shown = WithoutTold(logger, error);
        ConnectFailedWith(logger, level, channel, endpoint, delayMilliseconds, text, others, shown);
    }

    [LoggerMessage(EventIds.ClientDraining, LogLevel.Debug, "{Channel}: {Endpoint} drains a connection; new calls go elsewhere.", EventName = "ClientDraining")]
    public static partial void Draining(ILogger logger, string channel, string endpoint);

    [LoggerMessage(EventIds.ClientContinuationFailed, LogLevel.Error, "{Channel}: the code after a call threw, or its synchronization context or task " +
        "scheduler did not take it.", EventName = "ClientContinuationFailed")]
    public static partial void ContinuationFailed(ILogger logger, string channel, Exception error);

    [LoggerMessage(EventIds.ClientDrainIncomplete, LogLevel.Warning, "{Channel}: disposed while user code still runs on {Connections} connection(s): a " +
        "continuation or handler blocks.", EventName = "ClientDrainIncomplete")]
    public static partial void DrainIncomplete(ILogger logger, string channel, int connections);

    [LoggerMessage(EventId = EventIds.ClientConnectionClosed, EventName = "ClientConnectionClosed", Message = "{Channel}: connection to {Endpoint} is " +
        "closed: {Reason}. {Text} Since the last such warning {Others} others were left to level Debug.")]
    private static partial void ConnectionClosedWith(
        ILogger logger, LogLevel level, string channel, string endpoint, CloseReason reason, string text, int others, Exception? error);

    [LoggerMessage(EventId = EventIds.ClientConnectFailed, EventName = "ClientConnectFailed", Message = "{Channel}: connecting to {Endpoint} failed, the " +
        "next attempt comes {DelayMilliseconds} ms later at the earliest. {Text} Since the last such warning {Others} others were left to level Debug.")]
    private static partial void ConnectFailedWith(
        ILogger logger, LogLevel level, string channel, string endpoint, long delayMilliseconds, string text, int others, Exception? error);

    /// <summary>What the network did is told by the text. Where in the runtime it was noticed is for those alone who log at level Debug.</summary>
    private static Exception? WithoutTold(ILogger logger, Exception? error) => error is IOException && !logger.IsEnabled(LogLevel.Debug) ? null : error;
}
