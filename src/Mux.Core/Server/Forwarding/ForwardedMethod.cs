using Mux.Calls;
using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;

namespace Mux.Server;

/// <summary>Forwards the requests of one method, undecoded. Ids, ordinals and credit are each side's own. Safe for concurrent use.</summary>
internal sealed class ForwardedMethod : InboundMethod, IForwarder
{
    /// <summary>What this side is to its callers.</summary>
    public const string Side = "gateway";

    private readonly HandlerEnvironment _environment;
    private readonly CalledMethod _called, _ordered; // only the client knows whether a call is an ordered one
    private readonly RequestOptions _options;
    private readonly bool _isRepeated; // its policy may send a call again
    private readonly ListenerPlacement _listeners;

    public ForwardedMethod(MethodDescriptor descriptor, ForwardingRoute route, HandlerEnvironment environment)
    {
        (Descriptor, Route, _environment) = (descriptor, route, environment);
        // One-way calls are forwarded as calls with a reply: their clients have them open until the handlers have returned, as at the service itself.
        _called = new CalledMethod(descriptor) { Shape = descriptor.Shape & ~MethodShape.OneWay };
        _ordered = _called with { KeepsOrder = true, IsOrdered = true };
        _options = OutgoingOptions.OfMethod(descriptor) & ~RequestOptions.OneWay;
        _isRepeated = (descriptor.Shape & MethodShape.OneWay) == 0 && route.Calls.PolicyOf(descriptor) is { IsOn: true };
        _listeners = ListenerPlacement.Of(descriptor.FullName);
        Failures = new ForwardedFailures(route, environment);
        route.Calls.Register(descriptor);
    }

    public override MethodDescriptor Descriptor { get; }

    public ForwardingRoute Route { get; }

    public ForwardedFailures Failures { get; }

    /// <summary>True: everything that a request has is forwarded.</summary>
    public override bool ShowsOptions => true;

    /// <summary>True: no user code runs.</summary>
    public override bool RunsInTurn => true;

    public override bool ReadsKeys => true;

    public override MethodShape Streams => Descriptor.Shape & MethodShape.Duplex;

    /// <summary>True if its calls have a request stream.</summary>
    public bool HasRequestStream => (Descriptor.Shape & MethodShape.RequestStream) != 0;

    public override ulong OrderScopeOf(in InboundCall call) => ForwardedTurn.ScopeOf(call);

    public override string SideOf(Session session) => Side;

    public override IInboundItems? OpenItems(in InboundCall call) => new ForwardedItems();

    public override void Invoke(in InboundCall call, ReadOnlySpan<byte> body)
    {
        // As long as no request of the connection has come in parts, or was parked, they come here in their order.
        if (call.Extras is { IsOrdered: true } && call.Replies.Order is { } order) ForwardedTurn.Take(this, order, _environment.Keys, call, body);
        else Forward(call, body);
    }

    /// <inheritdoc/>
    public void Forward(in InboundCall call, ReadOnlySpan<byte> body)
    {
        long arrived = _environment.Durations.Start();
        var marks = Route.Marks.MarksOf(call);
        if (call.Extras is { Hops: >= GatewayMarks.MaxHops })
        {
            RefuseLoop(OutOfTurn(call, arrived));
        }
        else if (marks is { Refusal: { } refusal })
        {
            RefuseCaller(OutOfTurn(call, arrived), refusal);
        }
        else if (call.Session.Routes.Of(Route.Limit) is var share && share.TryTake(HasRequestStream, call.Session.Clock) is { } lack)
        {
            RefuseForShare(OutOfTurn(call, arrived), lack);
        }
        else if (Streams == MethodShape.Unary)
        {
            ForwardedCall.Rent().Start(this, call, arrived, share, marks, body);
        }
        else
        {
            new ForwardedStream(this, OutOfTurn(call, arrived), share, marks).Start(body);
        }
    }

    /// <summary>Gets the method as a forwarded call calls it.</summary>
    /// <param name="inOrder">True if it keeps the order of its key.</param>
    public ref readonly CalledMethod Called(bool inOrder) => ref inOrder ? ref _ordered : ref _called;

    /// <summary>Sets options, key and deadline of an outgoing call.</summary>
    /// <param name="outgoing">The call, which is about to start.</param>
    /// <param name="call">The call of the client.</param>
    /// <returns>The reasons for which its request is kept.</returns>
    public KeepFor Prepare(OutgoingCall outgoing, in InboundCall call)
    {
        outgoing.Options = _options | ForwardedMarks.OptionsOf(call);
        outgoing.Key = call.Extras?.Key ?? 0;
        var clock = Route.Calls.Clock;
        long deadline = call.Due == Clock.Never ? OutgoingOptions.DeadlineOf(Descriptor, Route.Calls) : Math.Max(0, call.Due - call.Session.Clock.Now);
        if (deadline != Clock.Never) outgoing.SetDeadline(clock.Now, deadline);
        // A retry of a retry: see OutgoingOptions.Keep.
        return _isRepeated && !call.IsRetry ? KeepFor.Repeats : KeepFor.Nothing;
    }

    /// <summary>Tells listeners of a call that is answered. It may lose the turn.</summary>
    public void Record(in InboundCall call, MuxStatus status)
    {
        if (call.MeasuredFrom == 0) return;
        var turn = HandlerFailures.EnterUserCode(Turn.Owner is not null, _listeners); // the turn of the connection to the service, or of the client's
        _environment.Durations.Record(call.MeasuredFrom, Descriptor.FullName, status, call.Session.PeerPlace);
        turn?.TryLeaveUser();
    }

    private static InboundCall OutOfTurn(in InboundCall call, long arrived) => call with { InTurn = false, MeasuredFrom = arrived };

    private void RefuseLoop(in InboundCall call)
    {
        ForwardedFailures.FailLoop(call);
        Record(call, MuxStatus.FailedPrecondition);
    }

    private void RefuseCaller(in InboundCall call, string refusal)
    {
        call.Fail(MuxStatus.PermissionDenied, MuxExecution.NotExecuted, refusal);
        Record(call, MuxStatus.PermissionDenied);
    }

    private void RefuseForShare(in InboundCall call, string lack)
    {
        call.Session.Options.Shared?.Refused(PeerLimit.ForwardedCalls);
        call.FailOverloaded(lack, Acceptor.RetryAfterLack);
        Record(call, MuxStatus.ResourceExhausted);
    }
}

/// <summary>
/// Limits the names that clients can make a process keep: each forwarded method has a descriptor and rows in tables, which are never released. Safe for
/// concurrent use.
/// </summary>
internal sealed class ForwardedNames(int limit)
{
    /// <summary>Forwarded methods of a process: some tens of services with a hundred methods each.</summary>
    public const int LimitOfProcess = 4096;

    /// <summary>Forwarded methods of one route: ten services with a hundred methods each.</summary>
    public const int LimitOfRoute = 1024;

    /// <summary>Forwarded methods that one connection is the first to call: it cannot take all places of a route.</summary>
    public const int LimitOfConnection = 256;

    private int _count;

    /// <summary>The names of all gateways of this process.</summary>
    public static ForwardedNames OfProcess { get; } = new(LimitOfProcess);

    public int Limit => limit;

    /// <summary>Takes a place for one more name.</summary>
    /// <returns>False if there is none.</returns>
    public bool TryTake()
    {
        if (Interlocked.Increment(ref _count) <= limit) return true;
        Interlocked.Decrement(ref _count);
        return false;
    }
}

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
