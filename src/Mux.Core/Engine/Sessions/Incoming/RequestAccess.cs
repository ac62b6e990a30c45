using System.Buffers;
using Mux.Contracts;
using Mux.Runtime;

namespace Mux.Engine;

/// <summary>Decides whether a request that has come may call its method, and says why not. In the turn.</summary>
internal static class RequestAccess
{
    private const string MayNot = "The caller may not call this method.";

    private const string NoCaller = "The caller is not authenticated: the gateway named none.";

    private const string UnknownCaller = "The call came through a gateway, and the service has not chosen to believe what this gateway says of its callers: " +
        "name the user of the gateway in Identity.Gateways of the service (Mux:Server:Identity:Gateways). Until then it refuses forwarded calls of methods " +
        "that require roles or policies.";

    /// <summary>
    /// Decides about a request. A permission of the peer is remembered. A gateway calls for callers of its own, so each request that it has forwarded is looked
    /// at; if policies of the server decide, which are user code, the call gets a method that asks them where it runs.
    /// </summary>
    /// <param name="call">The call.</param>
    /// <param name="defined">The method of all requests.</param>
    /// <param name="method">The method of this request.</param>
    /// <param name="caller">The caller that the gateway names; null if there is none.</param>
    /// <returns>Ok, Unauthenticated or PermissionDenied.</returns>
    public static MuxStatus Judge(ref InboundCall call, ref DefinedMethod defined, ref DefinedMethod method, ForwardedCaller? caller)
    {
        if (method.JudgesCallers && call.IsForwarded)
        {
            if (call.Session.JudgeForwarded(method.Method.Descriptor!, caller) is { } known) return known;
            method = method.With(new JudgedMethod(method.Method, caller!) { IsOwn = method.Method.IsOwn });
            call = call with { Method = method.Method };
            return MuxStatus.Ok;
        }

        if (!method.IsGuarded) return MuxStatus.Ok;
        var status = call.Session.Judge(method.Method.Descriptor!);
        if (status == MuxStatus.Ok) defined.Unguard();
        return status;
    }

    /// <summary>Gets the message for the caller of a request that is refused.</summary>
    public static string TextOf(in InboundCall call, MuxStatus status)
    {
        bool isNamed = call.IsForwarded && call.Session.Access is { IsGateway: true };
        if (status == MuxStatus.Unauthenticated) return isNamed ? NoCaller : "The caller is not authenticated.";
        return call.IsForwarded && !isNamed ? UnknownCaller : MayNot;
    }
}

/// <summary>
/// The method of one forwarded request about whose caller policies of the server decide, the first time that the connection brings a call of this caller. They
/// are user code, which runs last in the turn, like a handler, or where the request was queued to. One object for each such request.
/// </summary>
/// <param name="method">The method that was called.</param>
/// <param name="caller">The caller that the gateway names.</param>
internal sealed class JudgedMethod(InboundMethod method, ForwardedCaller caller) : InboundMethod
{
    public override MethodDescriptor? Descriptor => method.Descriptor;

    public override bool IsServed => method.IsServed;

    public override bool ShowsOptions => method.ShowsOptions;

    public override bool ReadsKeys => method.ReadsKeys;

    public override string Absence => method.Absence;

    public override bool RunsInTurn => method.RunsInTurn;

    public override ulong OrderScopeOf(in InboundCall call) => method.OrderScopeOf(call);

    public override MethodShape Streams => method.Streams;

    public override string SideOf(Session session) => method.SideOf(session);

    public override IInboundItems? OpenItems(in InboundCall call) => method.OpenItems(call with { Method = method });

    public override void Refuse(in InboundCall call) => method.Refuse(call with { Method = method });

    public override bool TryQueue(in InboundCall call, IWork item, int bytes) => method.TryQueue(call with { Method = method }, item, bytes);

    public override void Invoke(in InboundCall call, ReadOnlySpan<byte> body)
    {
        if (call.InTurn && Turn.Current is { } turn) InvokeInTurn(turn, call, body);
        else Continue(caller.Decide(method.Descriptor!), call, body);
    }

    /// <summary>Decides in user code of the turn. If another thread continues the turn meanwhile, it receives into the memory of the body again.</summary>
    private void InvokeInTurn(Turn turn, in InboundCall call, ReadOnlySpan<byte> body)
    {
        var kept = ArrayPool<byte>.Shared.Rent(body.Length);
        body.CopyTo(kept);
        if (method.OrderScopeOf(call) is not 0 and var scope) call.Replies.OpenOrder().Expect(scope, call.Id); // those that come meanwhile wait behind it
        turn.EnterUser(code: null);
        var status = caller.Decide(method.Descriptor!);
        if (turn.TryLeaveUser()) Continue(status, call, body);
        else Continue(status, call with { InTurn = false }, kept.AsSpan(0, body.Length));
        ArrayPool<byte>.Shared.Return(kept);
    }

    private void Continue(MuxStatus status, in InboundCall call, ReadOnlySpan<byte> body)
    {
        if (status == MuxStatus.Ok)
        {
            method.Invoke(call with { Method = method }, body);
            return;
        }

        if (method.OrderScopeOf(call) is not 0 and var scope) call.Replies.Order?.Skip(scope, call.Id);
        call.Fail(status, MuxExecution.NotExecuted, RequestAccess.TextOf(call, status));
    }
}
