using Mux.Contracts;
using Mux.Engine;
using Mux.Runtime;

namespace Mux.Calls;

/// <summary>
/// Carries calls over one connection, to the side at its other end. Those that find no room there wait with the calls of the peer's groups, in the order in
/// which they were made. Nothing is sent again. Safe for concurrent use.
/// </summary>
internal sealed class PeerCalls(ConnectionPeer peer, PeerEnvironment environment) : CallRoute(environment.Calls, environment.Ledger), IBoundCalls
{
    private readonly Connection _connection = peer.Connection;

    IRoomWatch IBoundCalls.Room => Waiting;

    private IPeerWatch Waiting => peer.Watch ?? environment.WatchOf(peer);

    public override string EndpointOf(OutgoingCall? call) => _connection.PeerPlace;

    public override void Register(MethodDescriptor method) => environment.Register(method);

    public override void Start(OutgoingCall call, ReadOnlySpan<byte> body)
    {
        call.Bound = this;
        if (peer.Watch is { HasWaiting: true } waiting) waiting.Add(call, this, body);
        else if (!_connection.Initiator.TryStart(call, body)) OnUnsent(call, failure: null);
    }

    void IBoundCalls.OnNoRoom(OutgoingCall call, ReadOnlySpan<byte> body) => Waiting.Add(call, this, body);

    public void OnUnsent(OutgoingCall call, CallFailure? failure) => Fail(call, failure ?? Refusal());

    public override void OnUserCodeFailed(Exception error) => _connection.Owner.OnUserCodeFailed(_connection, error);

    public override void OnCallbackFailed(MethodDescriptor method, string callback, Exception error) =>
        _connection.Owner.OnCallbackFailed(_connection, method, callback, error);

    public override void OnStalled(WorkStall stall) => _connection.Owner.OnStalled(stall);

    /// <summary>Fails a call that no connection has.</summary>
    public void Fail(OutgoingCall call, CallFailure failure)
    {
        Ledger.CountOutside(call.Method, failure.Status);
        CallHolder.Fail(call, failure);
    }

    private CallFailure Refusal() => new(MuxStatus.Unavailable, MuxExecution.NotExecuted, MuxCallPhase.Queue, _connection switch
    {
        { Life.End: { } end } => $"The connection to the peer has ended: {end.Text}",
        { Drain.IsPeer: true } => "The peer drains its connection and takes no more calls.",
        { Drain.IsLocal: true } => "This side drains the connection, and no call of the peer is open, for which it would still make calls.",
        _ => "The connection to the peer is ending.",
    });
}
