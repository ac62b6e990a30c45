using Mux.Protocol;

namespace Mux.Engine;

/// <summary>Learns that a running request is abandoned. It may have begun to serve another request by then: each member names the one that is meant.</summary>
internal interface IInboundCancellation
{
    /// <summary>The peer has cancelled the request, its connection is over, or the grace of a drain has ended. Maybe under the connection's lock.</summary>
    void Cancel(Session session, CallId id, CancelReason reason);

    /// <summary>The deadline of the request has passed. Under the connection's lock.</summary>
    void Expire(Session session, CallId id);
}
