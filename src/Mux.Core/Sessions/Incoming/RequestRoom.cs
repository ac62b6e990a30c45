using Mux.Buffers;
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
    private SeldomQueue<IDeferredRequest> _deferred; // at most as many as open calls; guarded by the connection's lock

    /// <summary>True if a request may run now. Any thread.</summary>
    public bool IsFree => HasReplyRoom && slots.Charged < _runningLimit;

    /// <summary>True if the next request that is kept here or parked may run now.</summary>
    public bool IsFreeForNextLocked => _deferred.Count > 0 ? HasReplyRoom : IsFree;

    private bool HasReplyRoom => _outbound.HasRoom;

    /// <summary>Says for what requests wait that come now.</summary>
    public string DescribeLack() => !HasReplyRoom
        ? $"the caller reads replies too slowly, of which more than MaxUnsentBytes ({session.Options.UnsentLimit}) are unsent."
        : slots.Charged >= _runningLimit
            ? $"requests whose handlers run hold {slots.Charged} bytes, and MaxRunningBytes allows {_runningLimit} for one connection."
            : "other peers hold the memory of the server (Limits.MaxHeldBytes) or its handlers (Limits.MaxHandlers).";

    /// <summary>
    /// Keeps a request that was to run now if there is no room for its reply. Any thread. The bytes that running requests hold do not matter here: the request
    /// is one of them and would wait for itself.
    /// </summary>
    /// <returns>False if it may run.</returns>
    public bool TryDefer(IDeferredRequest request)
    {
        if (HasReplyRoom) return false;
        lock (session.Gate)
        {
            if (HasReplyRoom || session.State > ConnectionState.Open) return false;
            _deferred.Enqueue(request);
            session.CountParkedLocked();
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
        session.CountUnparkedLocked();
        return request;
    }
}
