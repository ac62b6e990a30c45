using Mux.Calls;
using Mux.Engine;
using Mux.Protocol;

namespace Mux.Server;

/// <summary>
/// Answers clients whose calls failed behind the gateway. A failure that the service sent is passed on as it came: status, verdict on the execution, text,
/// detail and hint when to call again. A failure of the gateway's own connection names the client of the route. Safe for concurrent use.
/// </summary>
internal sealed class ForwardedFailures(ForwardingRoute route, HandlerEnvironment environment)
{
    /// <summary>Fails a call that has passed too many gateways.</summary>
    public static void FailLoop(in InboundCall call) =>
        call.Fail(MuxStatus.FailedPrecondition, MuxExecution.NotExecuted,
            $"The call has passed {GatewayMarks.MaxHops} gateways, and is not forwarded again: the routes of gateways form a loop.");

    /// <summary>Fails the client's call for the reason for which the forwarded call failed.</summary>
    /// <returns>The status.</returns>
    public MuxStatus Fail(in InboundCall call, OutgoingCall outgoing, CallFailure failure)
    {
        if (failure.IsCallerCancel)
        {
            var status = call.AbandonedStatus;
            call.Fail(status, failure.Execution, status == MuxStatus.DeadlineExceeded ? "The deadline passed." : "The caller cancelled the call.");
            return status;
        }

        bool isOfService = failure.Phase is MuxCallPhase.Handler or MuxCallPhase.Dispatch;
        if (isOfService && failure.Execution == MuxExecution.NotExecuted) CountMisuse(call, failure.Status);
        var text = isOfService ? failure.Text : Describe(outgoing, failure);
        var frame = new FailFrame((byte)failure.Status, failure.Execution, failure.RetryAfterMilliseconds, text) { IsPause = failure.IsPause };
        call.Replies.Fail(call, frame, failure.DetailNumber, failure.Detail);
        return failure.Status;
    }

    /// <summary>
    /// Counts a call that the service refuses for what the client sent, as a server counts it that is called without a gateway. The service cannot: it sees one
    /// connection for all clients. If another gateway has sent the call, that one counts methods that are absent.
    /// </summary>
    private static void CountMisuse(in InboundCall call, MuxStatus status)
    {
        if (status == MuxStatus.InvalidArgument) call.Session.OnUndecodableBehind(call.Ordinal, call.IsForwarded);
        else if (status == MuxStatus.Unimplemented && !call.IsForwarded) call.Session.OnAbsentBehind(call.Ordinal);
    }

    /// <summary>Texts of failed connections can contain addresses that clients of the gateway should not learn.</summary>
    private string Describe(OutgoingCall outgoing, CallFailure failure)
    {
        if (environment.DetailedErrors) return $"The gateway's {route.ClientText} at {route.Calls.EndpointOf(outgoing)} failed: {failure.Text}";
        if (failure is { Status: MuxStatus.DeadlineExceeded, Phase: MuxCallPhase.Connect })
        {
            return $"The deadline passed before the gateway's {route.ClientText} reached the service; the log of the gateway tells more.";
        }

        if (failure.Status != MuxStatus.Unavailable) return $"The gateway's {route.ClientText}: {failure.Text}";
        var what = failure.Execution == MuxExecution.NotExecuted ? "has no connection to" : "has lost its connection to";
        return $"The gateway's {route.ClientText} {what} the service; the log of the gateway tells more.";
    }
}
