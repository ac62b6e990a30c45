using System.Buffers;
using Mux.Contracts;
using Mux.Runtime;

namespace Mux.Engine;

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
