using Microsoft.Extensions.Logging;
using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;
using Mux.Serialization;
using Mux.Telemetry;

namespace Mux.Calls;

/// <summary>Answers failed calls of one method: decides what the caller is told and what only the log gets. Safe for concurrent use.</summary>
internal sealed class HandlerFailures(ContractMethod method, HandlerEnvironment environment)
{
    private readonly ILogger _logger = environment.Logger;
    private readonly CallDurations _durations = environment.Durations;
    private readonly ListenerPlacement _listeners = ListenerPlacement.Of(method.Descriptor.FullName);
    private readonly ListenerPlacement _loggers = ListenerPlacement.OfFailures(method.Descriptor.FullName);

    /// <summary>A deadline that ends this much later, in microseconds, counts as passed when a call that inherited it has failed by it: the times of a chain
    /// are rounded and measured by several clocks.</summary>
    private const long DeadlineTolerance = 20_000;

    // One for each event: a method that fails at all its calls would fill the log.
    private readonly RateLimit _thrown = new();
    private readonly RateLimit _unread = new();
    private readonly RateLimit _keys = new();
    private readonly RateLimit _services = new();
    private readonly RateLimit _scopes = new();
    private readonly RateLimit _replies = new();
    private readonly RateLimit _details = new();

    private string Name => method.Descriptor.FullName;

    /// <summary>Gets the status with which <see cref="Fail(in InboundCall, Exception, CancellationToken, MuxExecution)"/> fails a call.</summary>
    public static MuxStatus StatusOf(in InboundCall call, Exception error, InboundCancellation? cancellation) => error switch
    {
        MuxException { Endpoint: null } chosen => chosen.Status,
        _ when cancellation?.Token.IsCancellationRequested == true && CausesOf.IsCancel(error) => call.AbandonedStatus,
        _ when IsDeadline(call, error) => MuxStatus.DeadlineExceeded,
        _ => MuxStatus.Unknown,
    };

    /// <summary>Fails a call with the exception of its handler, or of a filter.</summary>
    /// <param name="call">The call.</param>
    /// <param name="error">The exception.</param>
    /// <param name="cancellationToken">The token of the call.</param>
    /// <param name="execution">Tells whether the handler was started: a filter may throw before.</param>
    public void Fail(in InboundCall call, Exception error, CancellationToken cancellationToken, MuxExecution execution = MuxExecution.Executed)
    {
        switch (error)
        {
            // An item. The failure of a filter of a channel, which looks like it, names its method.
            case MuxException { Endpoint: null, Method: null, Phase: MuxCallPhase.Encode, Status: MuxStatus.ResourceExhausted } unsent:
                OnTooLarge(call, UnsentPart.Item, unsent.Message);
                Fail(call, unsent.Status, execution, (HasStarted(execution) ? FailFrame.BeginText(Name, unsent.Status) : null) + unsent.Message);
                break;
            case MuxException { Endpoint: null } chosen: // one with an endpoint comes from another service, and does not concern this caller
                ServerLog.HandlerRefused(_logger, Name, chosen.Status, chosen);
                Fail(call, new MuxFailure(chosen.Status, chosen.Message, chosen.Detail) { RetryAfter = chosen.RetryAfter }, execution);
                break;
            case var _ when cancellationToken.IsCancellationRequested && CausesOf.IsCancel(error):
                FailCancelled(call, execution);
                break;
            case var _ when IsDeadline(call, error):
                FailExpired(call, execution);
                break;
            default:
                OnThrown(error, call.Session.Clock);
                Fail(call, MuxStatus.Unknown, execution, DescribeThrown(error, execution));
                break;
        }
    }

    /// <summary>Logs what the code of a handler threw.</summary>
    public void OnThrown(Exception error, Clock clock)
    {
        var level = _thrown.Temper(LogLevel.Error, clock.Now, out var others);
        ServerLog.HandlerFailed(_logger, level, Name, others, error);
    }

    /// <summary>Logs what the disposal of a call's scope threw: the call is already answered.</summary>
    public void OnScopeFailed(Exception error, Clock clock)
    {
        var level = _scopes.Temper(LogLevel.Error, clock.Now, out var others);
        ServerLog.ScopeFailed(_logger, level, Name, others, error);
    }

    /// <summary>
    /// True if a handler failed because the deadline of its call passed, before its own token told it so: a call that it made inherited the deadline, and was
    /// ended by it here or at the next service.
    /// </summary>
    private static bool IsDeadline(in InboundCall call, Exception error) =>
        (CausesOf.HasDeadline(error) && call.IsExpiredWithin(DeadlineTolerance))
        || (CausesOf.HasCancel(error) && call.IsExpired);

    private string DescribeThrown(Exception error, MuxExecution execution)
    {
        if (error is FilterMistake filter) return environment.DetailedErrors ? filter.Message : $"{filter.Told}: see the log of the server.";
        if (error is UnansweredCall) return error.Message;
        bool isFilter = execution == MuxExecution.NotExecuted;
        if (environment.DetailedErrors) return $"{(isFilter ? "A filter" : "The handler")} threw {error.GetType()}: {error.Message}";
        return isFilter ? "A filter threw an exception: see the log of the server." : "The handler threw an exception: see the log of the server.";
    }

    /// <summary>Fails a call as its handler, or a filter, says.</summary>
    /// <param name="call">The call.</param>
    /// <param name="failure">The failure.</param>
    /// <param name="execution">Tells whether the handler was started.</param>
    public void Fail(in InboundCall call, MuxFailure failure, MuxExecution execution = MuxExecution.Executed)
    {
        Record(call, failure.Status);
        if (failure.Detail is not { } detail)
        {
            TellOmitted(call, call.Fail(failure, 0, [], execution));
            return;
        }

        var buffer = MessageBuffer.Rent();
        try
        {
            var writer = buffer.CreateWriter();
            int number = TryEncode(ref writer, detail, call.Session.Clock);
            TellOmitted(call, call.Fail(failure, number, number == 0 ? [] : writer.Written, execution));
        }
        finally
        {
            buffer.Return();
        }
    }

    public void Fail(in InboundCall call, MuxStatus status, MuxExecution execution, string text)
    {
        Record(call, status);
        TellOmitted(call, call.Fail(status, execution, text));
    }

    /// <summary>Fails a call for which there is no thread, while too many wait for one. In a turn or outside.</summary>
    public void FailOverloaded(in InboundCall call)
    {
        var turn = EnterUserCode(Turn.Owner is not null, _loggers);
        if (environment.RefusalLog.TryPass(call.Session.Clock.Now, out int others))
        {
            ExecutionLog.WorkRefused(
                _logger, Name, ProcessWorkers.Handlers.Threads, ProcessWorkers.Handlers.MaxThreads, ProcessWorkers.Handlers.Waiting, others);
        }

        Record(call, MuxStatus.ResourceExhausted);
        TellOmitted(call, call.FailOverloaded("The server is overloaded: all threads for its handlers are busy, and too many calls wait for one.",
            ProcessWorkers.Handlers.RetryAfterMilliseconds));
        turn?.TryLeaveUser();
    }

    /// <summary>Fails a call for lack of room where it would wait. In a turn or outside.</summary>
    public void FailOverloaded(in InboundCall call, string text)
    {
        var turn = EnterUserCode(Turn.Owner is not null, _loggers);
        Record(call, MuxStatus.ResourceExhausted);
        TellOmitted(call, call.FailOverloaded(text, Acceptor.RetryAfterLack));
        turn?.TryLeaveUser();
    }

    /// <summary>Fails a call that was over, so that its handler stopped or a filter before it.</summary>
    public void FailCancelled(in InboundCall call, MuxExecution execution = MuxExecution.Executed)
    {
        var status = call.AbandonedStatus;
        if (status == MuxStatus.DeadlineExceeded) FailExpired(call, execution);
        else Fail(call, status, execution, HasStarted(execution) ? "The handler was cancelled." : "The call was cancelled before its handler started.");
    }

    private void FailExpired(in InboundCall call, MuxExecution execution) => Fail(call, MuxStatus.DeadlineExceeded, execution,
        (HasStarted(execution) ? "The deadline passed, and the handler was cancelled." : "The deadline passed before the handler started.") +
        call.MostTimeText);

    /// <summary>A reply was answered as <paramref name="end"/> says, which its caller knows by now.</summary>
    public void RecordReply(in InboundCall call, in ReplyEnd end)
    {
        if (end.Unsent is { } unsent)
        {
            var turn = EnterUserCode(call.InTurn, _loggers);
            OnTooLarge(call, unsent.Part, unsent.Reason);
            turn?.TryLeaveUser();
        }

        Record(call, end.Status);
    }

    private void OnTooLarge(in InboundCall call, string part, string reason)
    {
        // One limit for all methods: a peer that accepts little causes it with every call.
        var level = environment.SizeLog.Temper(LogLevel.Warning, call.Session.Clock.Now, out var others);
        ServerLog.ReplyTooLarge(_logger, level, Name, part, call.Session.PeerPlace, reason, others);
    }

    private static bool HasStarted(MuxExecution execution) => execution != MuxExecution.NotExecuted;

    /// <summary>
    /// Fails a call whose request cannot be read. One without memory has no retry hint: each attempt would cost as much
    /// memory again, and with a hint callers make many.
    /// </summary>
    public void FailUndecodable(in InboundCall call, Exception error)
    {
        var turn = EnterUserCode(call.InTurn, _loggers);
        // Also without memory: the peer chooses what is decoded, and a second without such requests helps.
        call.Session.OnUndecodable(call.Ordinal, call.IsForwarded);
        LogUndecodable("A request", error, call.Session.Clock);
        Fail(call, UndecodableMessage.StatusOfRequest(error), MuxExecution.NotExecuted,
            UndecodableMessage.Request("The request", error, method.Descriptor, call.PeersRequestFingerprint,
                environment.DetailedErrors ? UndecodableMessage.NameOf(error) : $"an exception: see the log of the {environment.Side}"));
        turn?.TryLeaveUser();
    }

    /// <summary>Logs an item of a request stream that cannot be read: its handler, which gets the exception, may tell nothing of it.</summary>
    public void OnItemUndecodable(Exception error, Clock clock)
    {
        var turn = EnterUserCode(inTurn: true, _loggers);
        LogUndecodable("An item of a request", error, clock);
        turn?.TryLeaveUser();
    }

    // What the codec refuses is the peer's mistake. What else is thrown is code of this side, which its author looks for here.
    private void LogUndecodable(string part, Exception error, Clock clock)
    {
        SimilarCount others = 0;
        var level = OutOfMemory.Is(error) ? _unread.Temper(LogLevel.Error, clock.Now, out others)
            : UndecodableMessage.IsThrown(error) ? _unread.Temper(LogLevel.Warning, clock.Now, out others)
            : LogLevel.Debug;
        ServerLog.RequestUndecodable(_logger, level, part, Name, others, error);
    }

    /// <summary>Names the exception of an item that cannot be read, for its handler, which gets it too, and perhaps for the caller.</summary>
    public string NameForCaller(Exception error) => environment.DetailedErrors ? UndecodableMessage.NameOf(error) : "an exception";

    /// <summary>Fails a call whose key cannot be read: the member with the key is code of this side, so it is no fault of the caller.</summary>
    /// <param name="call">The call.</param>
    /// <param name="key">The name of the member.</param>
    /// <param name="error">What it has thrown.</param>
    public void FailKey(in InboundCall call, string key, Exception error)
    {
        var turn = EnterUserCode(call.InTurn, _loggers);
        if (error is MuxException { Endpoint: null })
        {
            Fail(call, error, CancellationToken.None, MuxExecution.NotExecuted);
        }
        else
        {
            var level = _keys.Temper(LogLevel.Error, call.Session.Clock.Now, out var others);
            ServerLog.KeyFailed(_logger, level, Name, key, others, error);
            Fail(call, MuxStatus.Internal, MuxExecution.NotExecuted, environment.DetailedErrors
                ? $"{key}, the key of the request, threw {error.GetType()}: {error.Message}"
                : "The key of the request threw an exception: see the log of the server.");
        }

        turn?.TryLeaveUser();
    }

    public void FailUnencodable(in InboundCall call, Exception error)
    {
        var turn = EnterUserCode(call.InTurn, _loggers);
        OnUnencodable(error, call.Session.Clock);
        Fail(call, OutOfMemory.StatusOr(error, MuxStatus.Internal), MuxExecution.Executed,
            OutOfMemory.Is(error) ? "The reply could not be encoded: the process of its handler is out of memory." : "The reply could not be encoded.");
        turn?.TryLeaveUser();
    }

    public void FailWithoutService(in InboundCall call, Exception error)
    {
        var level = _services.Temper(LogLevel.Error, call.Session.Clock.Now, out var others);
        ServerLog.ServiceUnavailable(_logger, level, Name, others, error);
        Fail(call, MuxStatus.Internal, MuxExecution.NotExecuted, "The service could not be created.");
    }

    /// <summary>Enters user code for calls that may block in addition to the handler: loggers and listeners of spans and meters are user code, too.</summary>
    /// <returns>The turn to leave again; null if there is none, or if user code is running already.</returns>
    public static Turn? EnterUserCode(bool inTurn, ListenerPlacement code)
    {
        var turn = inTurn ? Turn.Current : null;
        if (turn is not { IsOwned: true }) return null;
        turn.EnterUser(code); // not charged to the handler
        return turn;
    }

    /// <summary>
    /// Logs the parts of a failure that were left out, which the caller cannot see. Rate-limited: a caller that accepts little causes it with every call.
    /// </summary>
    private void TellOmitted(in InboundCall call, string? omitted)
    {
        if (omitted is not null && environment.OmissionLog.TryPass(call.Session.Clock.Now, out int others))
        {
            ServerLog.FailureIncomplete(_logger, Name, omitted, others);
        }
    }

    private int TryEncode(ref MessageWriter writer, object detail, Clock clock)
    {
        try
        {
            int number = method.Details?.Encode(ref writer, detail) ?? 0;
            if (number != 0) return number;
            var level = _details.Temper(LogLevel.Warning, clock.Now, out var others);
            ServerLog.DetailNotDeclared(_logger, level, Name, detail.GetType(), others);
            return 0;
        }
        catch (Exception error)
        {
            OnUnencodable(error, clock); // the failure itself must reach its caller
            return 0;
        }
    }

    private void OnUnencodable(Exception error, Clock clock)
    {
        var level = _replies.Temper(LogLevel.Error, clock.Now, out var others);
        ServerLog.ReplyUnencodable(_logger, level, Name, others, error);
    }

    /// <summary>Records the outcome of an answered call. It may lose the turn.</summary>
    public void Record(in InboundCall call, MuxStatus status)
    {
        var activity = call.Extras?.Activity;
        if (call.MeasuredFrom == 0 && activity is null) return;
        var turn = EnterUserCode(call.InTurn, _listeners);
        _durations.Record(call.MeasuredFrom, Name, status, call.Session.PeerPlace);
        if (activity is not null) Tracing.End(activity, status);
        turn?.TryLeaveUser();
    }
}

/// <summary>
/// Looks for deadlines and cancels in what a handler threw: itself, or what it has wrapped. Handlers wrap exceptions in
/// their own ones, and code that blocks gets them in an <see cref="AggregateException"/>. Pure.
/// </summary>
internal static class CausesOf
{
    /// <summary>Most exceptions of one failure that are looked at: an aggregate may hold any number.</summary>
    private const int MostLooks = 64;

    /// <summary>True if a call that the handler made has failed by a deadline.</summary>
    public static bool HasDeadline(Exception error) =>
        Are(error, static cause => cause is MuxException { Status: MuxStatus.DeadlineExceeded }, all: false);

    /// <summary>True if something that the handler awaited was cancelled.</summary>
    public static bool HasCancel(Exception error) => Are(error, IsOwnCancel, all: false);

    /// <summary>
    /// True if the handler ended because something that it awaited was cancelled. If several things have failed, all of
    /// them must be cancelled: another failure is one to log.
    /// </summary>
    public static bool IsCancel(Exception error) => Are(error, IsOwnCancel, all: true);

    private static bool IsOwnCancel(Exception error) =>
        error is OperationCanceledException or MuxException { Status: MuxStatus.Cancelled };

    private static bool Are(Exception error, Func<Exception, bool> isIt, bool all)
    {
        int looks = MostLooks;
        return Are(error, isIt, all, ref looks);
    }

    /// <param name="error">An exception, which may have wrapped others.</param>
    /// <param name="isIt">True for what is looked for.</param>
    /// <param name="all">True if each part of an aggregate must be it, or contain it; otherwise one is enough.</param>
    /// <param name="looks">Exceptions that may still be looked at.</param>
    private static bool Are(Exception? error, Func<Exception, bool> isIt, bool all, ref int looks)
    {
        for (; error is not null && looks-- > 0; error = error.InnerException)
        {
            if (isIt(error)) return true;
            if (error is not AggregateException { InnerExceptions: { Count: > 0 } several }) continue;
            foreach (var one in several)
            {
                if (Are(one, isIt, all, ref looks) != all) return !all;
            }

            return all;
        }

        return false;
    }
}
