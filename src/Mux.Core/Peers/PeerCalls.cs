using Mux.Calls;
using Mux.Connections;
using Mux.Contracts;
using Mux.Execution;
using Mux.Sessions.Calls;

namespace Mux.Peers;

/// <summary>
/// Carries calls over one connection, to the side at its other end. They never wait for a slot, so calls that call back and forth end even without a deadline:
/// one of them finds none. Nothing is sent again. Safe for concurrent use.
/// </summary>
internal sealed class PeerCalls(Connection connection, PeerEnvironment environment) : CallRoute(environment.Calls, environment.Ledger), IBoundCalls
{
    public override string EndpointOf(OutgoingCall? call) => connection.PeerPlace;

    public override void Register(MethodDescriptor method) => environment.Register(method);

    public override void Start(OutgoingCall call, ReadOnlySpan<byte> body)
    {
        call.Bound = this;
        if (!connection.Initiator.TryStart(call, body)) Fail(call, Refusal());
    }

    void IBoundCalls.OnUnsent(OutgoingCall call, CallFailure? failure) => Fail(call, failure ?? Refusal());

    public override void OnUserCodeFailed(Exception error) => connection.Owner.OnUserCodeFailed(connection, error);

    public override void OnStalled(WorkStall stall) => connection.Owner.OnStalled(stall);

    private void Fail(OutgoingCall call, CallFailure failure)
    {
        Ledger.CountOutside(call.Method, failure.Status);
        CallHolder.Fail(call, failure);
    }

    private CallFailure Refusal() => new(MuxStatus.Unavailable, MuxExecution.NotExecuted, MuxCallPhase.Queue, connection switch
    {
        { Life.End: { } end } => $"The connection to the peer has ended: {end.Text}",
        { Drain.IsPeer: true } => "The peer drains its connection and takes no more calls.",
        { Drain.IsLocal: true } => "This side drains the connection, and no call of the peer is open, for which it would still make calls.",
        _ => "The connection to the peer is ending.",
    });
}
