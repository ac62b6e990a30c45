using Mux.Contracts;
using Mux.Sessions.Calls;

namespace Mux.Calls;

/// <summary>
/// Tells the route of one-way calls that have failed after their callers had continued: refused by the peer, failed by its handler, or lost with the
/// connection. All calls of a proxy's method share it. Safe for concurrent use.
/// </summary>
internal sealed class OneWayReceipt : OneWayReply
{
    private readonly CallRoute _route;

    public OneWayReceipt(MethodDescriptor method, CallRoute route) => (Method, _route) = (method, route);

    public override bool IsTold => true;

    public override void OnFailed(CallFailure failure, bool inTurn) => _route.OnOneWayFailed(Method, failure);
}
