using Mux.Protocol;
using Mux.Runtime;

namespace Mux.Engine;

/// <summary>
/// Decides whether requests of the peer may run: it reads its replies, and running requests do not hold too much. Keeps requests that found no room on the way
/// to their handlers.
/// </summary>
internal sealed class RequestRoom(Session session, RequestSlots slots)
{
    /// <summary>Searches for expired requests come at multiples of this, microseconds.</summary>
    private const long SearchInterval = 5_000;

    private readonly OutboundQueue _outbound = session.Outbound;
    private readonly long _runningLimit = session.Options.RunningLimit;
    private SeldomQueue<IDeferredRequest> _deferred; // at most as many as open calls; guarded by the connection's lock

    /// <summary>True if a request may run now. Any thread.</summary>
    public bool IsFree => HasReplyRoom && slots.Charged < _runningLimit;

    /// <summary>True if the next request that is kept here or parked may run now.</summary>
    public bool IsFreeForNextLocked => _deferred.Count > 0 ? HasReplyRoom : IsFree;

    /// <summary>True if requests are kept here, which run before those that are parked.</summary>
    public bool HasDeferredLocked => _deferred.Count > 0;

    /// <summary>True if the peer reads its replies: there is room for more. Any thread.</summary>
    public bool HasReplyRoom => _outbound.HasRoom;

    /// <summary>Length of the request that is kept here and taken next. There is one.</summary>
    public int NextLengthLocked => _deferred.Peek().Length;

    /// <summary>Time of the search for requests kept here that have expired, or <see cref="Clock.Never"/>.</summary>
    public long NextDueLocked { get; private set; } = Clock.Never;

    /// <summary>Bytes that running requests may hold in addition. Any thread.</summary>
    public long RunningLeft => Math.Max(0, _runningLimit - slots.Charged);

    /// <summary>Notes for what the parked requests wait.</summary>
    /// <param name="lacksPlace">True if the oldest of them found no place for its handler.</param>
    public RequestLack LackLocked(bool lacksPlace)
    {
        session.AssertLocked();
        return new RequestLack(slots.Charged, _runningLimit, _outbound.UnsentLocked, HasReplyRoom, lacksPlace);
    }

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
            NextDueLocked = Math.Min(NextDueLocked, SearchAfter(request.Due));
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
        if (_deferred.Count == 0) NextDueLocked = Clock.Never;
        session.CountUnparkedLocked();
        return request;
    }

    /// <summary>Takes the requests kept here that their callers have abandoned. The others keep their order.</summary>
    /// <returns>The requests; null if there are none.</returns>
    public List<IDeferredRequest>? TakeAbandonedLocked(long now)
    {
        session.AssertLocked();
        List<IDeferredRequest>? abandoned = null;
        NextDueLocked = Clock.Never;
        for (int left = _deferred.Count; left > 0; left--)
        {
            var request = _deferred.Dequeue();
            if (request.IsAbandoned(now))
            {
                (abandoned ??= []).Add(request);
                session.CountUnparkedLocked();
                continue;
            }

            _deferred.Enqueue(request);
            NextDueLocked = Math.Min(NextDueLocked, SearchAfter(request.Due));
        }

        return abandoned;
    }

    /// <summary>Time of the search for what expires at this time: a search passes all, and finds all of some milliseconds.</summary>
    private static long SearchAfter(long due) => due == Clock.Never ? due : ((due / SearchInterval) + 1) * SearchInterval;
}

/// <summary>
/// For what the parked requests of a connection wait, as noted under its lock. Its text is made outside: it takes as
/// long as some calls.
/// </summary>
/// <param name="Charged">Bytes that running requests hold.</param>
/// <param name="RunningLimit">Bytes that they may hold.</param>
/// <param name="Unsent">Bytes that wait to be sent.</param>
/// <param name="HasReplyRoom">True if there is room for replies.</param>
/// <param name="LacksPlace">True if the oldest parked request found no place for its handler.</param>
internal readonly record struct RequestLack(
    long Charged, long RunningLimit, long Unsent, bool HasReplyRoom, bool LacksPlace)
{
    /// <summary>True if they wait for nothing but places of handlers.</summary>
    public bool HasRoom => HasReplyRoom && Charged < RunningLimit;

    /// <summary>Says for what the parked requests wait.</summary>
    /// <param name="options">The options of the connection.</param>
    /// <param name="place">Says why there is no place.</param>
    public string Describe(ConnectionOptions options, PlaceLack place)
    {
        if (Charged >= RunningLimit)
        {
            return $"requests whose handlers run hold {Charged} bytes, and MaxRunningBytes allows {RunningLimit} for " +
                "one connection.";
        }

        if (HasReplyRoom)
        {
            return LacksPlace
                ? $"the first of them waits for a handler, and {place.Reason}. {place.Remedy}"
                : "those before it are about to run.";
        }

        return Unsent >= options.UnsentLimit
            ? $"they wait until replies are sent, of which {Unsent} bytes wait. MaxUnsentBytes is " +
              $"{options.UnsentLimit}, and {options.BulkUnsentLimit} for large replies."
            : "they wait because the server has little memory left (Limits.MaxHeldBytes).";
    }
}
