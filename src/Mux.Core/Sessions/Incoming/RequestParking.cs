using Mux.Buffers;
using Mux.Sessions.Budgets;
using Mux.Sessions.Lifecycle;
using Mux.Sessions.Messages;
using Mux.Timing;
using Mux.Wire;

namespace Mux.Sessions.Incoming;

/// <summary>
/// Holds requests of one connection until they may run: requests that come while the peer reads no replies or its requests hold too much, and queued requests
/// that find this on their thread. They hold no places of handlers. When bytes have gone out they run one after the other, on a thread of the engine, and each
/// asks for its place. Small requests that come while there is no place wait here, too: their callers keep no copy that
/// they could send again.
/// </summary>
internal sealed class RequestParking(Session session, Acceptor acceptor, RequestRoom room) : IThreadPoolWorkItem
{
    /// <summary>
    /// Longest wait of a large request for a place, microseconds: ten checks (<see cref="ConnectionTimers.OnAwaitsMemory"/>).
    /// Then it is refused, and its caller sends it again.
    /// </summary>
    private const long LongestWaitOfLarge = 1_000_000;

    /// <summary>
    /// Longest time in which no parked request gets a place, microseconds. Then they are refused: handlers that await calls
    /// to their own server may hold all places, and wait for those that are parked.
    /// </summary>
    private const long LongestWait = 30_000_000;

    /// <summary>Abandoned requests that are answered before another one may start.</summary>
    private const int MostAbandoned = 512;

    private ParkedRequests? _parked; // null until the first comes; guarded by the connection's lock, like the next fields
    private bool _unparking;
    private ushort _asks; // incremented each time this is asked to unpark while it does; small, as an idle connection has it
    private long _waitsSince = Clock.Never; // for a place
    private long _lackedAt = long.MinValue; // there was no place until then

    /// <summary>See <see cref="ParkedRequests.Memory"/>.</summary>
    public MemoryShare? Memory { get; set; }

    /// <summary>
    /// True if small requests wait here for places. Without the checks for memory, nothing would tell them that other
    /// connections have left some.
    /// </summary>
    public bool WaitsForPlace => Memory is not null;

    private ParkedRequests Parked => _parked ??= new ParkedRequests { Memory = Memory };

    /// <summary>Parks a request for which there is no room, or refuses it if there is no room to park it either. In the turn.</summary>
    /// <param name="call">The call.</param>
    /// <param name="body">The request.</param>
    /// <param name="from">As for <see cref="ParkedRequests.TryAdd"/>.</param>
    public ProtocolViolation? Park(in InboundCall call, ReadOnlySpan<byte> body, PartialMessage? from = null)
    {
        if (call.Method.OrderScopeOf(call) is not 0 and var scope) call.Replies.OpenOrder().Expect(scope, call.Id);
        MemoryVerdict memory = default;
        RequestLack lack;
        bool lacksPlace;
        lock (session.Gate)
        {
            // A connection that another thread has ended has failed its parked requests, and nothing would take one more.
            if (session.State <= ConnectionState.Open
                && Parked.TryAdd(
                    call with { InTurn = false }, body, session.Options.ParkedLimit, room.RunningLeft, from, session.Clock.Now, out memory))
            {
                session.CountParkedLocked();
                if (_waitsSince == Clock.Never) UnparkLocked(); // otherwise every request that comes would ask for a place
                AwaitLocked();
                return null;
            }

            lacksPlace = _waitsSince != Clock.Never;
            lack = room.LackLocked(lacksPlace);
        }

        if (memory != MemoryVerdict.Granted) return acceptor.RefuseForMemory(call, Memory!.Describe("request", body.Length, memory), memory);
        if (lacksPlace) session.Handlers!.OnParkingFull();
        var text = $"Too many requests of the connection are waiting, which MaxParkedBytes ({session.Options.ParkedLimit}) " +
            $"limits: {lack.Describe(session.Options, acceptor.NoPlace)}";
        return lacksPlace && !IsLarge(body.Length)
            ? acceptor.Refuse(call, MuxStatus.ResourceExhausted, text, Acceptor.RetryAfterLack)
            : acceptor.RefuseForNow(call, text);
    }

    /// <summary>The peer has cancelled a call: if it is parked, the next check ends it. In the turn.</summary>
    public void OnCancelled()
    {
        if (session.ParkedRequests == 0) return;
        lock (session.Gate)
        {
            Parked.SearchAfter(session.Clock.Now);
            AwaitLocked();
        }
    }

    /// <summary>
    /// Runs parked requests when bytes have gone out, or ends abandoned ones. Not on this thread, which may be any that sends.
    /// </summary>
    public void UnparkLocked()
    {
        session.AssertLocked();
        if (session.ParkedRequests == 0) return;
        if (_unparking)
        {
            _asks++;
            return;
        }

        if (!room.IsFreeForNextLocked && !IsSearchDueLocked(session.Clock.Now)) return;
        _unparking = true;
        session.Options.Work.Add(this);
    }

    /// <summary>Fails the requests that never reached a handler, and tells the peer if it is still connected.</summary>
    public void FailLocked(string text)
    {
        session.AssertLocked();
        while (session.ParkedRequests > 0 && TryTakeLocked(out var request))
        {
            Release(request, request.Charge);
            acceptor.FailLocked(request.Call, MuxStatus.Unavailable, text);
        }

        while (room.TakeLocked() is { } deferred) session.Options.Work.Add(new Resumption(deferred)); // it finds its call answered, or the connection over
    }

    void IThreadPoolWorkItem.Execute()
    {
        ParkedRequest parked = default;
        IDeferredRequest? deferred = null;
        AbandonedRequests abandoned;
        ushort asks = Volatile.Read(ref _asks);
        bool hasPlace = HasPlaceForNext(); // before the lock is taken: the limit has its own
        bool isLate;
        long waited; // for a place, without getting one
        lock (session.Gate)
        {
            long now = session.Clock.Now;
            if (!hasPlace || _waitsSince != Clock.Never) _lackedAt = now; // until now
            abandoned = TakeAbandonedLocked(now);
            bool isTaken = abandoned.IsEmpty && room.IsFreeForNextLocked && IsDecidedLocked(hasPlace, now);
            waited = now - Math.Min(_waitsSince, now);
            if (isTaken) deferred = room.TakeLocked();
            bool stops = abandoned.IsEmpty && deferred is null && (!isTaken || !TryTakeLocked(out parked));
            if (session.ParkedRequests == 0) _waitsSince = Clock.Never; // the next one begins to wait anew
            if (stops)
            {
                if (asks != _asks) session.Options.Work.Add(this); // what was freed after the look would be seen by nobody
                else _unparking = false;
                AwaitLocked(); // another connection may have taken what there was when this was queued
                return;
            }

            isLate = deferred is null && abandoned.IsEmpty && parked.IsLate(now, _lackedAt);
        }

        if (!abandoned.IsEmpty)
        {
            End(abandoned, waited);
            session.Options.Work.Add(this);
            return;
        }

        if (deferred is not null)
        {
            session.Options.Work.Add(this); // for the next request
            if (hasPlace)
            {
                deferred.Resume();
                return;
            }

            session.Handlers!.OnRefused();
            deferred.Refuse(AfterNone(waited), Acceptor.RetryAfterLack, isPause: IsLarge(deferred.Length));
            return;
        }

        bool starts = hasPlace && !isLate;
        if (starts && TryQueue(parked)) return;
        if (!starts) End(parked, waited);
        session.Options.Work.Add(this);
    }

    /// <summary>Queues a parked request for the thread that runs it. It keeps its memory, so that it is not refused for lack of it.</summary>
    /// <returns>False if too much is queued: then it is answered.</returns>
    private bool TryQueue(in ParkedRequest parked)
    {
        var (call, body, length, carried, _) = parked;
        acceptor.TryCharge(call, length, ref carried);
        Memory?.Release(carried);
        if (call.Method.TryQueue(call, new UnparkedRequest(call, body, length, next: this), length)) return true;
        Release(parked, 0);
        return false;
    }

    private void Release(in ParkedRequest parked, long charge)
    {
        BufferPool.Return(parked.Body);
        Memory?.Release(charge);
    }

    /// <summary>
    /// True if the server has a place for the next request. The place is not taken before the request is: another connection may take it between, and this one
    /// then has one request more than places until it asks again.
    /// </summary>
    private bool HasPlaceForNext() =>
        session.Handlers is not { } handlers || handlers.TryResume(session.RequestCounts.RunningCount + 1, session.Clock.Now);

    /// <summary>True if the next request waits no longer: it has a place, or has waited too long for one.</summary>
    private bool IsDecidedLocked(bool hasPlace, long now)
    {
        session.AssertLocked();
        if (hasPlace || session.ParkedRequests == 0)
        {
            _waitsSince = Clock.Never;
            return true;
        }

        if (_waitsSince == Clock.Never)
        {
            _waitsSince = now;
            Parked.SearchAfter(now); // half of their time may be gone
        }

        int length = room.HasDeferredLocked ? room.NextLengthLocked : Parked.NextLength;
        return now - _waitsSince >= (IsLarge(length) ? LongestWaitOfLarge : LongestWait);
    }

    private static bool IsLarge(int length) => length > ProtocolConstants.MaxWholeBody;

    /// <summary>
    /// True if it is time to search for abandoned requests. While the peer reads nothing they stay, because each answer
    /// would be one more that it has not read.
    /// </summary>
    private bool IsSearchDueLocked(long now)
    {
        session.AssertLocked();
        return room.HasReplyRoom && Math.Min(Parked.NextSearch, room.NextDueLocked) <= now;
    }

    /// <summary>
    /// Takes requests that their callers have abandoned, and those that have waited for a place for half of their time:
    /// they need no place, and their slots are the callers' again.
    /// </summary>
    private AbandonedRequests TakeAbandonedLocked(long now)
    {
        session.AssertLocked();
        if (!IsSearchDueLocked(now)) return default;
        var deferred = room.HasDeferredLocked ? room.TakeAbandonedLocked(now) : null;
        var parked = Parked.TakeAbandoned(now, _lackedAt, MostAbandoned);
        for (int i = parked?.Count ?? 0; i > 0; i--) session.CountUnparkedLocked();
        return new(parked, deferred);
    }

    private void End(in AbandonedRequests abandoned, long waited)
    {
        abandoned.Parked?.ForEach(request => End(request, waited));
        abandoned.Deferred?.ForEach(static request => request.Resume()); // it ends where it would run
    }

    /// <summary>Answers a request that will not run: its caller has abandoned it, or it has waited too long for a place.</summary>
    /// <param name="request">The request.</param>
    /// <param name="waited">Time for which no request has got a place, microseconds.</param>
    private void End(in ParkedRequest request, long waited)
    {
        if (!request.Call.TryFailAbandoned())
        {
            long now = session.Clock.Now;
            session.Handlers!.OnRefused();
            var text = request.HalfTime <= now
                ? acceptor.NoPlace.AfterHalf(request.HalfTime - request.Arrived, now - request.Arrived)
                : AfterNone(waited);
            acceptor.RefuseForPlace(request.Call, text, isKept: IsLarge(request.Length));
        }

        Release(request, request.Charge);
    }

    private string AfterNone(long waited) =>
        acceptor.NoPlace.AfterNone(waited, mayWaitForItself: waited >= LongestWait);

    /// <summary>Has the timers check again for memory and places of other connections, and search for abandoned requests.</summary>
    private void AwaitLocked()
    {
        session.AssertLocked();
        session.AwaitMemoryLocked();
        HastenLookLocked();
    }

    /// <summary>Has the next check come in time for the search for abandoned requests.</summary>
    public void HastenLookLocked()
    {
        session.AssertLocked();
        if (session.ParkedRequests == 0) return;
        long due = Math.Min(Parked.NextSearch, room.NextDueLocked);
        // One that is due waits for room, which is found when bytes go out.
        if (due <= session.Clock.Now || !session.Timers.TryHasten(due)) return;
        session.RequestTickLocked(due);
    }

    private bool TryTakeLocked(out ParkedRequest request)
    {
        session.AssertLocked();
        if (!Parked.TryTake(out request)) return false;
        session.CountUnparkedLocked();
        return true;
    }

    /// <summary>Requests that end without running, or null where there are none.</summary>
    private readonly record struct AbandonedRequests(List<ParkedRequest>? Parked, List<IDeferredRequest>? Deferred)
    {
        public bool IsEmpty => Parked is null && Deferred is null;
    }

    private sealed class Resumption(IDeferredRequest request) : IThreadPoolWorkItem
    {
        public void Execute() => request.Resume();
    }
}
