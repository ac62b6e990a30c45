using Mux.Lanes;
using Mux.Sessions.Lifecycle;

namespace Mux.Sessions.Incoming;

/// <summary>
/// Whether requests of the peer may run: it takes its replies, and those that run do not hold too much. Has those that were on their way to their handlers when
/// that was no longer so.
/// </summary>
internal sealed class RequestRoom(Session session, RequestSlots slots)
{
    private readonly OutboundQueue _outbound = session.Outbound;
    private readonly long _runningLimit = session.Options.RunningLimit;
    private readonly Queue<IDeferredRequest> _deferred = new(); // no more than calls are open; guarded by the connection's lock

    /// <summary>Any thread.</summary>
    public bool IsFree => _outbound.HasRoom && slots.Charged < _runningLimit;

    /// <summary>Keeps a request that was to run now if there is no room for its reply. Any thread.</summary>
    /// <returns>False if it may run.</returns>
    public bool TryDefer(IDeferredRequest request)
    {
        if (IsFree) return false;
        lock (session.Gate)
        {
            if (IsFree || session.State > ConnectionState.Open) return false;
            _deferred.Enqueue(request);
            session.ParkedRequests++;
            session.AwaitMemoryLocked();
            return true;
        }
    }

    /// <summary>The oldest request that was kept.</summary>
    /// <returns>Null if there is none.</returns>
    public IDeferredRequest? TakeLocked()
    {
        if (!_deferred.TryDequeue(out var request)) return null;
        session.ParkedRequests--;
        return request;
    }
}
