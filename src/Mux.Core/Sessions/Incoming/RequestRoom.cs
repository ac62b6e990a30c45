using Mux.Lanes;
using Mux.Sessions.Lifecycle;

namespace Mux.Sessions.Incoming;

/// <summary>
/// Decides whether requests of the peer may run: it reads its replies, and running requests do not hold too much. Keeps requests that found no room on the way
/// to their handlers.
/// </summary>
internal sealed class RequestRoom(Session session, RequestSlots slots)
{
    private readonly OutboundQueue _outbound = session.Outbound;
    private readonly long _runningLimit = session.Options.RunningLimit;
    private readonly Queue<IDeferredRequest> _deferred = new(); // at most as many as open calls; guarded by the connection's lock

    /// <summary>True if a request may run now. Any thread.</summary>
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

    /// <summary>Takes the oldest request that was kept.</summary>
    /// <returns>Null if there is none.</returns>
    public IDeferredRequest? TakeLocked()
    {
        session.AssertLocked();
        if (!_deferred.TryDequeue(out var request)) return null;
        session.ParkedRequests--;
        return request;
    }
}
