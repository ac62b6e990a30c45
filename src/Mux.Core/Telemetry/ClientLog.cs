using System.Diagnostics;
using Microsoft.Extensions.Logging;
using Mux.Engine;
using Mux.Runtime;

namespace Mux.Telemetry;

/// <summary>Log messages of a channel. Users filter by event name, so the names do not change.</summary>
internal static partial class ClientLog
{
    [LoggerMessage(EventIds.ClientConnectionOpened, LogLevel.Debug, "{Channel}: connection to {Endpoint} is open: instance {PeerInstance}, idle time " +
        "{PeerIdleMilliseconds} ms.", EventName = "ClientConnectionOpened")]
    public static partial void ConnectionOpened(ILogger logger, string channel, string endpoint, Guid peerInstance, int peerIdleMilliseconds);

    public static void ConnectionClosed(
        ILogger logger, LogLevel level, string channel, string endpoint, CloseReason reason, string text, SimilarCount others, Exception? error)
    {
        var shown = WithoutTold(logger, error);
        ConnectionClosedWith(logger, level, channel, endpoint, reason, text, others, shown);
    }

    public static void ConnectFailed(
        ILogger logger, LogLevel level, string channel, string endpoint, long delayMilliseconds, string text, SimilarCount others, Exception? error)
    {
        var shown = WithoutTold(logger, error);
        ConnectFailedWith(logger, level, channel, endpoint, delayMilliseconds, text, others, shown);
    }

    [LoggerMessage(EventIds.ClientDraining, LogLevel.Debug, "{Channel}: {Endpoint} drains a connection; new calls use another one.",
        EventName = "ClientDraining")]
    public static partial void Draining(ILogger logger, string channel, string endpoint);

    [LoggerMessage(EventIds.ClientReachedAgain, LogLevel.Information, "{Channel}: {Endpoint} is reached again after {Seconds:0.0} s; {Calls:N0} calls of " +
        "the channel failed meanwhile.", EventName = "ClientReachedAgain")]
    public static partial void ReachedAgain(ILogger logger, string channel, string endpoint, double seconds, long calls);

    [LoggerMessage(EventId = EventIds.ClientContinuationFailed, Message = "{Channel}: {Code} threw an exception, or its synchronization context or task " +
        "scheduler rejected it.{Others}", EventName = "ClientContinuationFailed")]
    public static partial void ContinuationFailed(ILogger logger, LogLevel level, string channel, string code, SimilarCount others, Exception error);

    [LoggerMessage(EventIds.ClientDrainIncomplete, LogLevel.Warning, "{Channel}: disposed while user code still runs on {Connections} connection(s): a " +
        "continuation or handler blocks.", EventName = "ClientDrainIncomplete")]
    public static partial void DrainIncomplete(ILogger logger, string channel, int connections);

    [LoggerMessage(EventIds.ClientCallEnded, LogLevel.Debug, "{Channel}: call of {Method} at {Endpoint} ended with {Status} after {Milliseconds:0.000} ms.",
        EventName = "ClientCallEnded")]
    public static partial void CallEnded(ILogger logger, string channel, string method, string endpoint, MuxStatus status, double milliseconds);

    [LoggerMessage(EventIds.ClientContractDiffers, LogLevel.Warning, "{Channel}: {Endpoint} has another contract: the {Messages} of {Method} have another " +
        "shape there. Members that one side lacks are dropped or get their default. While compatible versions of the contract roll out, this is expected; " +
        "otherwise build both sides against the same contract. Logged once an hour per method.{Others}",
        EventName = "ClientContractDiffers")]
    public static partial void ContractDiffers(ILogger logger, string channel, string endpoint, string messages, string method, SuppressedCount others);

    [LoggerMessage(EventIds.ClientConnectionAdded, LogLevel.Debug, "{Channel}: {Endpoint} gets connection {Count} of at most {MaxConnections}: {Reason}. It " +
        "drains again if it brings less than 5 % in 1 s.", EventName = "ClientConnectionAdded")]
    public static partial void ConnectionAdded(ILogger logger, string channel, string endpoint, int count, int maxConnections, string reason);

    [LoggerMessage(EventIds.ClientConnectionRemoved, LogLevel.Debug, "{Channel}: {Endpoint} keeps {Count} connection(s); one drains, because the others are " +
        "enough.", EventName = "ClientConnectionRemoved")]
    public static partial void ConnectionRemoved(ILogger logger, string channel, string endpoint, int count);

    [LoggerMessage(EventId = EventIds.OnOpenedFailed, Message = "{Channel}: OnOpened failed on the connection to {Endpoint}, which drains. The channel " +
        "connects again after a pause.{Others}", EventName = "OnOpenedFailed")]
    public static partial void OnOpenedFailed(ILogger logger, LogLevel level, string channel, string endpoint, SimilarCount others, Exception error);

    [LoggerMessage(EventIds.ClientCallsRefused, LogLevel.Warning, "{Channel}: refused a call of a server, because the connections of the channel run as many " +
        "handlers as they may ({MaxHandlers}), or one runs its share of them.{Others}", EventName = "ClientCallsRefused")]
    public static partial void CallsRefused(ILogger logger, string channel, long maxHandlers, SuppressedCount others);

    [LoggerMessage(EventIds.OneWayCallFailed, LogLevel.Warning, "{Channel}: a one-way call failed after its caller had continued. {Text} A caller that must " +
        "know sets MuxCallOptions.Acknowledged and awaits the call.{Others}", EventName = "OneWayCallFailed")]
    public static partial void OneWayCallFailed(ILogger logger, string channel, string text, SuppressedCount others);

    [LoggerMessage(EventIds.ChannelDropped, LogLevel.Warning, "{Channel}: the channel was dropped without being disposed. Its {Connections} connection(s) to " +
        "{Endpoint} stay until the process ends. Keep the MuxChannel, and dispose it after its last call.{Others}",
        EventName = "ChannelDropped")]
    public static partial void ChannelDropped(
        ILogger logger, string channel, string endpoint, int connections, SuppressedCount others);

    [LoggerMessage(EventId = EventIds.EndpointsChanged, EventName = "EndpointsChanged", Message = "{Channel}: {Source} has {Count} endpoint(s), {Added} new, " +
        "{Removed} gone, {Changed} changed: {Endpoints}.{Others}")]
    public static partial void EndpointsChanged(
        ILogger logger, LogLevel level, string channel, string source, int count, int added, int removed, int changed, string endpoints, SimilarCount others);

    public static void SourceFailed(
        ILogger logger, LogLevel level, string channel, string source, int kept, long delayMilliseconds, string text, SimilarCount others, Exception error)
    {
        var shown = WithoutTold(logger, error);
        SourceFailedWith(logger, level, channel, source, kept, delayMilliseconds, text, others, shown);
    }

    [LoggerMessage(EventId = EventIds.SourceFailed, EventName = "SourceFailed", Message = "{Channel}: {Source} does not tell the endpoints; the {Kept} known " +
        "one(s) stay in use, and the next attempt follows in {DelayMilliseconds} ms. {Text}{Others}")]
    private static partial void SourceFailedWith(
        ILogger logger, LogLevel level, string channel, string source, int kept, long delayMilliseconds, string text, SimilarCount others, Exception? error);

    [LoggerMessage(EventId = EventIds.EndpointEjected, EventName = "EndpointEjected", Message = "{Channel}: {Endpoint} gets no calls for " +
        "{Milliseconds} ms, because {Cause}. Last: {Reason}")]
    public static partial void Ejected(ILogger logger, LogLevel level, string channel, string endpoint, long milliseconds, string cause, string reason);

    [LoggerMessage(EventId = EventIds.EndpointReturned, EventName = "EndpointReturned", Message = "{Channel}: {Endpoint} gets calls again.")]
    public static partial void Returned(ILogger logger, LogLevel level, string channel, string endpoint);

    [LoggerMessage(EventIds.Panic, LogLevel.Warning, "{Channel}: too few endpoints of {Source} are open: {Open} of {Count}. Until more are, those that " +
        "were left out get calls again: {Endpoints}.{Others}", EventName = "Panic")]
    public static partial void Panic(ILogger logger, string channel, string source, int open, int count, string endpoints, SuppressedCount others);

    [LoggerMessage(EventIds.BudgetEmpty, LogLevel.Warning, "{Channel}: calls are not sent again, because the retry budget is empty: {Calls} calls were " +
        "started in the last 10 s, and 10 + a tenth of them may be sent again. The last one: {Method} at {Endpoint} failed with {Status}. Find out why calls " +
        "fail; more attempts would only add load.{Others}", EventName = "BudgetEmpty")]
    public static partial void BudgetEmpty(
        ILogger logger, string channel, long calls, string method, string endpoint, MuxStatus status, SuppressedCount others);

    [LoggerMessage(EventId = EventIds.ClientConnectionClosed, EventName = "ClientConnectionClosed", Message = "{Channel}: connection to {Endpoint} is " +
        "closed: {Reason}. {Text}{Others}")]
    private static partial void ConnectionClosedWith(
        ILogger logger, LogLevel level, string channel, string endpoint, CloseReason reason, string text, SimilarCount others, Exception? error);

    [LoggerMessage(EventId = EventIds.ClientConnectFailed, EventName = "ClientConnectFailed", Message = "{Channel}: connecting to {Endpoint} failed; the " +
        "next attempt follows in {DelayMilliseconds} ms at the earliest. {Text}{Others}")]
    private static partial void ConnectFailedWith(
        ILogger logger, LogLevel level, string channel, string endpoint, long delayMilliseconds, string text, SimilarCount others, Exception? error);

    /// <summary>Omits network exceptions above level Debug: the text says what happened, and the stack trace only shows where the runtime noticed it.</summary>
    private static Exception? WithoutTold(ILogger logger, Exception? error) => error is IOException && !logger.IsEnabled(LogLevel.Debug) ? null : error;
}

/// <summary>
/// Logs each call of one channel or server at level Debug, in a category of its own: who looks at connections need not read every call. Whether the level is
/// enabled is asked about once a second, not per call: see <see cref="PeriodicChecks"/>. Thread-safe.
/// </summary>
/// <param name="logger">Gets the calls; it does not throw.</param>
/// <param name="side">The side that logs.</param>
/// <param name="channel">Name of the channel; not used at a server.</param>
internal sealed class CallLog(ILogger logger, ActivityKind side, string channel = "")
{
    private volatile bool _isOn = logger.IsEnabled(LogLevel.Debug);

    /// <summary>True if calls are logged.</summary>
    public bool IsOn => _isOn;

    /// <summary>Follows changes of the level from now on, until <see cref="Unwatch"/>.</summary>
    public void Watch() => PeriodicChecks.OfProcess.Add(Check);

    public void Unwatch() => PeriodicChecks.OfProcess.Remove(Check);

    /// <summary>Asks the logger again.</summary>
    public void Check() => _isOn = logger.IsEnabled(LogLevel.Debug);

    public void Write(string method, string peer, MuxStatus status, double milliseconds)
    {
        if (side == ActivityKind.Server) ServerLog.CallEnded(logger, method, peer, status, milliseconds);
        else ClientLog.CallEnded(logger, channel, method, peer, status, milliseconds);
    }
}

/// <summary>Log messages of groups: those of the server or channel whose peer is the member. The names do not change.</summary>
internal static partial class GroupLog
{
    [LoggerMessage(EventIds.GroupCallsMissed, LogLevel.Warning, "The peer {Peer} has missed {Count} call(s) of the group {Group}: {Reasons}.{Advice} Logged " +
        "once a minute per peer, and at the end of its connection.", EventName = "GroupCallsMissed")]
    public static partial void CallsMissed(ILogger logger, string peer, long count, string group, string reasons, string advice);

    [LoggerMessage(EventIds.GroupMemberGone, LogLevel.Debug, "The peer {Peer} has missed {Count} call(s) of the group {Group}: its connection ended or " +
        "drained before they could be sent.", EventName = "GroupMemberGone")]
    public static partial void MemberGone(ILogger logger, string peer, long count, string group);
}

/// <summary>The reasons for which members miss calls, as metrics and logs name them.</summary>
internal static class MissReasons
{
    private static readonly string[] s_names = ["queue_full", "dropped", "no_memory", "expired", "disconnected", "refused", "failed"];

    public static IReadOnlyList<MuxMissReason> All { get; } = Enum.GetValues<MuxMissReason>();

    public static int Length => s_names.Length;

    public static string NameOf(MuxMissReason reason) => s_names[(int)reason];
}
