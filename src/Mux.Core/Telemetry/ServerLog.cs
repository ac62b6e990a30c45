using System.Globalization;
using Microsoft.Extensions.Logging;
using Mux.Contracts;
using Mux.Engine;
using Mux.Runtime;

namespace Mux.Telemetry;

/// <summary>
/// Log messages of a server. Users filter by event name, so the names do not change. Never logs a payload, nor a text of the peer longer than the protocol
/// allows.
/// </summary>
internal static partial class ServerLog
{
    /// <summary>Takes the place of the address of a server that does not listen itself: others accept its connections, such as ASP.NET Core.</summary>
    public const string NoAddress = "the endpoints of its host";

    [LoggerMessage(EventIds.ServerListening, LogLevel.Information, "Listening at {Address}, serving {Services}.", EventName = "ServerListening")]
    public static partial void Listening(ILogger logger, string address, string services);

    [LoggerMessage(EventIds.ServerServesNothing, LogLevel.Warning, "The server at {Address} has no services, so every call fails. Was AddService called?",
        EventName = "ServerServesNothing")]
    public static partial void ServesNothing(ILogger logger, string address);

    [LoggerMessage(EventIds.ServerListensInPlaintext, LogLevel.Warning, "Other machines can reach the server at {Address} without encryption: " +
        "AllowPlaintext is set.", EventName = "ServerListensInPlaintext")]
    public static partial void ListensInPlaintext(ILogger logger, string address);

    [LoggerMessage(EventIds.ServerLimits, LogLevel.Debug, "Limits of the server at {Address} are those of the profile {Profile}, except: {Differences}.",
        EventName = "ServerLimits")]
    public static partial void Limits(ILogger logger, string address, MuxProfile profile, string differences);

    [LoggerMessage(EventIds.ServerPeerCutOff, LogLevel.Warning, "Connection from {RemoteAddress} was closed by the limit {Limit}: {Text}{Others}",
        EventName = "ServerPeerCutOff")]
    public static partial void PeerCutOff(ILogger logger, string remoteAddress, PeerLimit limit, string text, SuppressedCount others);

    [LoggerMessage(EventIds.ServerCallsRefused, LogLevel.Warning, "Calls are refused: {Why}.{Others}",
        EventName = "ServerCallsRefused")]
    public static partial void CallsRefused(ILogger logger, string why, SuppressedCount others);

    [LoggerMessage(EventIds.Overloaded, LogLevel.Warning, "Overloaded: for 100 ms all work waited at least {QueueMilliseconds:0.0} ms for a thread, and " +
        "MaxQueueTime is {MaxMilliseconds:0.0} ms. From now on a part of the calls is refused, those of low priority first.", EventName = "Overloaded")]
    public static partial void Overloaded(ILogger logger, double queueMilliseconds, double maxMilliseconds);

    [LoggerMessage(EventIds.Recovered, LogLevel.Information, "Recovered from overload: all calls have been taken for a second. {Refused} calls were refused.",
        EventName = "Recovered")]
    public static partial void Recovered(ILogger logger, long refused);

    [LoggerMessage(EventIds.ServerStopped, LogLevel.Information, "Stopped listening at {Address}.", EventName = "ServerStopped")]
    public static partial void Stopped(ILogger logger, string address);

    [LoggerMessage(EventIds.ServerConnectionOpened, LogLevel.Debug, "Connection from {RemoteAddress} ({PeerName}) is open: instance {PeerInstance}, idle " +
        "time {PeerIdleMilliseconds} ms.", EventName = "ServerConnectionOpened")]
    public static partial void ConnectionOpened(ILogger logger, string remoteAddress, string peerName, Guid peerInstance, int peerIdleMilliseconds);

    [LoggerMessage(EventIds.ServerConnectionClosed, LogLevel.Debug, "Connection from {RemoteAddress} is closed: {Reason}. {Text}",
        EventName = "ServerConnectionClosed")]
    public static partial void ConnectionClosed(ILogger logger, string remoteAddress, CloseReason reason, string text, Exception? error);

    [LoggerMessage(EventIds.ServerConnectionRefused, LogLevel.Warning, "Connection from {RemoteAddress} was refused: {Text}{Others}",
        EventName = "ServerConnectionRefused")]
    public static partial void ConnectionRefused(ILogger logger, string remoteAddress, string text, SuppressedCount others);

    [LoggerMessage(EventIds.ServerPeerForeign, LogLevel.Warning, "{Text}{Others}",
        EventName = "ServerPeerForeign")]
    public static partial void PeerForeign(ILogger logger, string text, SuppressedCount others);

    [LoggerMessage(EventIds.AuthenticationFailed, LogLevel.Warning, "The peer at {RemoteAddress} failed to authenticate: {Text}{Others}",
        EventName = "AuthenticationFailed")]
    public static partial void AuthenticationFailed(ILogger logger, string remoteAddress, string text, SuppressedCount others);

    [LoggerMessage(EventIds.ServerCallEnded, LogLevel.Debug, "Call of {Method} from {RemoteAddress} ended with {Status} after {Milliseconds:0.000} ms.",
        EventName = "ServerCallEnded")]
    public static partial void CallEnded(ILogger logger, string method, string remoteAddress, MuxStatus status, double milliseconds);

    [LoggerMessage(EventIds.ServerContractDiffers, LogLevel.Warning, "The client at {RemoteAddress} has another contract: the {Messages} of {Method} have " +
        "another shape there. Members that one side lacks are dropped or get their default. While compatible versions of the contract roll out, this is " +
        "expected; otherwise build both sides against the same contract. Logged once an hour per method.{Others}",
        EventName = "ServerContractDiffers")]
    public static partial void ContractDiffers(ILogger logger, string remoteAddress, string messages, string method, SuppressedCount others);

    [LoggerMessage(EventId = EventIds.HandlerFailed, Message = "The handler of {Method} failed.{Others}", EventName = "HandlerFailed")]
    public static partial void HandlerFailed(ILogger logger, LogLevel level, string method, SimilarCount others, Exception error);

    [LoggerMessage(EventIds.HandlerRefused, LogLevel.Debug, "The handler of {Method} ended with {Status}.", EventName = "HandlerRefused")]
    public static partial void HandlerRefused(ILogger logger, string method, MuxStatus status, Exception error);

    [LoggerMessage(EventId = EventIds.RequestUndecodable, Message = "{Part} of {Method} could not be decoded.{Others}",
        EventName = "RequestUndecodable")]
    public static partial void RequestUndecodable(
        ILogger logger, LogLevel level, string part, string method, SimilarCount others, Exception error);

    [LoggerMessage(EventId = EventIds.KeyFailed, Message = "The key of a request of {Method} could not be read: {Key} threw an exception.{Others}",
        EventName = "KeyFailed")]
    public static partial void KeyFailed(ILogger logger, LogLevel level, string method, string key, SimilarCount others, Exception error);

    [LoggerMessage(EventId = EventIds.ReplyUnencodable, Message = "A reply of {Method} could not be encoded.{Others}", EventName = "ReplyUnencodable")]
    public static partial void ReplyUnencodable(ILogger logger, LogLevel level, string method, SimilarCount others, Exception error);

    [LoggerMessage(EventId = EventIds.ReplyTooLarge, Message = "A call of {Method} failed, because its {Part} is larger than {Peer} accepts. " +
        "{Reason}{Others}", EventName = "ReplyTooLarge")]
    public static partial void ReplyTooLarge(
        ILogger logger, LogLevel level, string method, string part, string peer, string reason, SimilarCount others);

    [LoggerMessage(EventId = EventIds.DetailNotDeclared, Message = "The handler of {Method} failed a call with a detail of type {Type}. Its contract does " +
        "not declare that type with [MuxError], so the caller does not receive the detail.{Others}", EventName = "DetailNotDeclared")]
    public static partial void DetailNotDeclared(ILogger logger, LogLevel level, string method, Type type, SimilarCount others);

    [LoggerMessage(EventIds.FailureIncomplete, LogLevel.Warning, "The caller of {Method} receives a failure without its {Omitted}.{Others}",
        EventName = "FailureIncomplete")]
    public static partial void FailureIncomplete(ILogger logger, string method, string omitted, SuppressedCount others);

    [LoggerMessage(EventId = EventIds.ServiceUnavailable, Message = "The service of {Method} could not be created.{Others}", EventName = "ServiceUnavailable")]
    public static partial void ServiceUnavailable(ILogger logger, LogLevel level, string method, SimilarCount others, Exception error);

    [LoggerMessage(EventId = EventIds.ScopeFailed, Message = "Disposing the scope of a call of {Method} failed.{Others}", EventName = "ScopeFailed")]
    public static partial void ScopeFailed(ILogger logger, LogLevel level, string method, SimilarCount others, Exception error);

    [LoggerMessage(EventId = EventIds.ServerCallbackFailed, Message = "User code failed that no caller waits for: {Code} threw an exception.{Others}",
        EventName = "ServerCallbackFailed")]
    public static partial void CallbackFailed(ILogger logger, LogLevel level, string code, SimilarCount others, Exception error);

    [LoggerMessage(EventId = EventIds.OnConnectedFailed, Message = "{Hook}.OnConnectedAsync failed for the client at {RemoteAddress}, whose connection the " +
        "server refuses. The client connects again after a pause.{Others}", EventName = "OnConnectedFailed")]
    public static partial void OnConnectedFailed(
        ILogger logger, LogLevel level, string hook, string remoteAddress, SimilarCount others, Exception error);

    [LoggerMessage(EventIds.CallContextMissed, LogLevel.Warning, "MuxCallContext.Current was read and is null: handlers of this {Side} have no call context. " +
        "If one reads it, call AddCallContext() of its builder, or set EnableCallContext of its options.", EventName = "CallContextMissed")]
    public static partial void CallContextMissed(ILogger logger, string side);

    [LoggerMessage(EventIds.ServerStopWaits, LogLevel.Information, "The stop waits for {Calls}, up to {Seconds} s (DrainTimeout).",
        EventName = "ServerStopWaits")]
    public static partial void StopWaits(ILogger logger, string calls, double seconds);

    [LoggerMessage(EventIds.ServerDrainIncomplete, LogLevel.Warning, "Stopped while user code still runs on {Connections} connection(s): a continuation or " +
        "handler blocks.", EventName = "ServerDrainIncomplete")]
    public static partial void DrainIncomplete(ILogger logger, int connections);

    [LoggerMessage(EventIds.ServerMaxConnectionsLowered, LogLevel.Warning, "MaxConnections is {MaxConnections}, but this process may have only " +
        "{OpenFiles} files open: {Connections} connections are accepted. Raise the limit of open files (ulimit -n) or lower MaxConnections.",
        EventName = "ServerMaxConnectionsLowered")]
    public static partial void MaxConnectionsLowered(ILogger logger, int maxConnections, long openFiles, int connections);
}

/// <summary>Log messages of channels and servers about user code that blocks threads. Users filter by event name, so the names do not change.</summary>
internal static partial class ExecutionLog
{
    /// <summary>Number of take-overs before one is logged: earlier ones may come from the compilation of the first run, or from a busy machine.</summary>
    private const int TakeOversToTell = 3;

    /// <summary>Logs that user code kept a turn.</summary>
    public static void Blocked(ILogger logger, Placement? code, bool refused, SuppressedCount others)
    {
        if (code is { TakeOvers: < TakeOversToTell } and not ListenerPlacement && !refused) return;
        var name = code?.Name ?? "The code after a call";
        if (refused) TakeOverRefused(logger, name, ProcessWorkers.Leaders.MaxThreads, others);
        else TakenOver(logger, name, code?.Advice ?? Placement.InlineAdvice, others); // code without a placement has the mode Inline
    }

    [LoggerMessage(EventIds.UserCodeBlocked, LogLevel.Warning, "{Code} blocked the receiving thread of its connection for a few milliseconds, so another " +
        "thread took over. {Advice}{Others}", EventName = "UserCodeBlocked")]
    private static partial void TakenOver(ILogger logger, string code, string advice, SuppressedCount others);

    [LoggerMessage(EventIds.TakeOverRefused, LogLevel.Error, "{Code} blocks the receiving thread of its connection, and all {MaxThreads} threads that " +
        "could take over are blocked as well: all connections of this thread wait. Await instead of blocking in this code.{Others}",
        EventName = "TakeOverRefused")]
    private static partial void TakeOverRefused(ILogger logger, string code, int maxThreads, SuppressedCount others);

    /// <summary>Logs that work waits for threads and none of it starts.</summary>
    public static void Stalled(ILogger logger, WorkStall stall)
    {
        if (!logger.IsEnabled(LogLevel.Error)) return;
        var what = stall.Kind == WorkerKind.Handlers ? "requests" : "completions of calls";
        var limit = stall.Threads >= stall.MaxThreads ? $"all {stall.MaxThreads} that MuxWorkers.MaxThreads allows"
            : string.Create(CultureInfo.InvariantCulture, $"{stall.Threads}{(stall.IsDenied ? "; the system has no more" : "")}");
        Stalled(logger, stall.Waiting, what, Math.Round(stall.Seconds, 1), limit, stall.DescribeRunning());
    }

    [LoggerMessage(EventIds.WorkStalled, LogLevel.Error, "{Waiting} {Kind} wait for a thread, and none has started for {Seconds} s. The threads ({Threads}) " +
        "are blocked in {Code}. Await instead of blocking in this code.", EventName = "WorkStalled")]
    private static partial void Stalled(ILogger logger, int waiting, string kind, double seconds, string threads, string code);

    [LoggerMessage(EventIds.WorkRefused, LogLevel.Error, "A call of {Method} was refused: the {Threads} handler threads are busy (MuxWorkers.MaxThreads is " +
        "{MaxThreads}), and {Waiting} calls wait for one. Await instead of blocking in handlers, or raise MuxWorkers.MaxThreads.{Others}",
        EventName = "WorkRefused")]
    public static partial void WorkRefused(ILogger logger, string method, int threads, int maxThreads, int waiting, SuppressedCount others);
}

/// <summary>
/// Passes on, once an hour per method of one channel or server, that a peer has another contract: what decodes nevertheless may lose members, and no call
/// reports it. Not once for ever: any stranger that makes up a fingerprint would silence it for the peers that matter. Thread-safe.
/// </summary>
/// <param name="clock">The clock of the channel or server.</param>
internal sealed class ContractDifferences(Clock clock)
{
    private readonly MethodRateLimits _limits = new(TimeSpan.FromHours(1));

    /// <summary>Runs a report on the .NET pool, unless there was one for this method within the last hour.</summary>
    /// <param name="method">The method.</param>
    /// <param name="report">Gets the number of reports suppressed since the last one of the method.</param>
    public void Tell(MethodDescriptor method, Action<int> report)
    {
        if (_limits.Of(method).TryPass(clock.Now, out int others)) ReportThread.TellOnPool(() => report(others));
    }
}

/// <summary>The message of an exception of user code, which is code of the user, too.</summary>
internal static class ThrownMessage
{
    /// <summary>Gets the message, or says that it throws: what follows an exception must not depend on it.</summary>
    public static string Of(Exception error)
    {
        try
        {
            return error.Message;
        }
        catch (Exception)
        {
            return "its message cannot be read.";
        }
    }
}
