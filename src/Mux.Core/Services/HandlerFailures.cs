using Microsoft.Extensions.Logging;
using Mux.Contracts;
using Mux.Diagnostics;
using Mux.Execution;
using Mux.Items;
using Mux.Serialization;
using Mux.Sessions.Incoming;

namespace Mux.Services;

/// <summary>Answers failed calls of one method: decides what the caller is told and what only the log gets. Safe for concurrent use.</summary>
internal sealed class HandlerFailures(ContractMethod method, HandlerEnvironment environment)
{
    private readonly ILogger _logger = environment.Logger;
    private readonly CallDurations _durations = environment.Durations;
    private readonly ListenerPlacement _listeners = ListenerPlacement.Of(method.Descriptor.FullName);
    private readonly ListenerPlacement _loggers = ListenerPlacement.OfFailures(method.Descriptor.FullName);

    private string Name => method.Descriptor.FullName;

    /// <summary>Fails a call with the exception of its handler.</summary>
    public void Fail(in InboundCall call, Exception error, CancellationToken cancellationToken)
    {
        switch (error)
        {
            case MuxException { Endpoint: null } chosen: // one with an endpoint comes from another service, and does not concern this caller
                ServerLog.HandlerRefused(_logger, Name, chosen.Status, chosen);
                Fail(call, new MuxFailure(chosen.Status, chosen.Message, chosen.Detail) { RetryAfter = chosen.RetryAfter });
                break;
            case OperationCanceledException when cancellationToken.IsCancellationRequested:
                FailCancelled(call);
                break;
            default:
                ServerLog.HandlerFailed(_logger, Name, error);
                Fail(call, MuxStatus.Unknown, MuxExecution.Executed, environment.DetailedErrors
                    ? $"The handler threw {error.GetType()}: {error.Message}"
                    : "The handler threw an exception: see the log of the server.");
                break;
        }
    }

    /// <summary>Fails a call as its handler says.</summary>
    public void Fail(in InboundCall call, MuxFailure failure)
    {
        Record(call, failure.Status);
        if (failure.Detail is not { } detail)
        {
            TellOmitted(call, call.Fail(failure, 0, []));
            return;
        }

        var buffer = MessageBuffer.Rent();
        try
        {
            var writer = buffer.CreateWriter();
            int number = TryEncode(ref writer, detail);
            TellOmitted(call, call.Fail(failure, number, number == 0 ? [] : writer.Written));
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

    /// <summary>Fails a call that was over, so that its handler stopped.</summary>
    public void FailCancelled(in InboundCall call)
    {
        var status = call.AbandonedStatus;
        Fail(call, status, MuxExecution.Executed, status == MuxStatus.DeadlineExceeded
            ? $"The deadline passed, and the handler was cancelled.{call.MostTimeText}" : "The handler was cancelled.");
    }

    public void FailUndecodable(in InboundCall call, Exception error)
    {
        var turn = EnterUserCode(call.InTurn, _loggers);
        call.Session.OnUndecodable(call.Ordinal, call.IsForwarded);
        ServerLog.RequestUndecodable(_logger, Name, error);
        Fail(call, MuxStatus.InvalidArgument, MuxExecution.NotExecuted,
            UndecodableMessage.Request("The request", error, method.Descriptor, call.PeersRequestFingerprint));
        turn?.TryLeaveUser();
    }

    public void FailUnencodable(in InboundCall call, Exception error)
    {
        var turn = EnterUserCode(call.InTurn, _loggers);
        ServerLog.ReplyUnencodable(_logger, Name, error);
        Fail(call, MuxStatus.Internal, MuxExecution.Executed, "The reply could not be encoded.");
        turn?.TryLeaveUser();
    }

    public void FailWithoutService(in InboundCall call, Exception error)
    {
        ServerLog.ServiceUnavailable(_logger, Name, error);
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

    private int TryEncode(ref MessageWriter writer, object detail)
    {
        try
        {
            int number = method.Details?.Encode(ref writer, detail) ?? 0;
            if (number == 0) ServerLog.DetailNotDeclared(_logger, Name, detail.GetType());
            return number;
        }
        catch (Exception error)
        {
            ServerLog.ReplyUnencodable(_logger, Name, error); // the failure itself must reach its caller
            return 0;
        }
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
