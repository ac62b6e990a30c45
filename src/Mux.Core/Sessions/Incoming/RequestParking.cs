using Mux.Buffers;
using Mux.Sessions.Budgets;
using Mux.Sessions.Lifecycle;
using Mux.Sessions.Messages;
using Mux.Timing;
using Mux.Wire;

namespace Mux.Sessions.Incoming;

/// <summary>
/// Holds requests of one connection until they may run: requests that come while the peer reads no replies or its requests
/// hold too much, and queued requests that find this on their thread. They hold no places of handlers. When bytes have gone
/// out they run in the order in which they came, on threads of the engine, and each asks for its place. Small requests that
/// come while there is no place wait here, too: their callers keep no copy that they could send again.
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

    /// <summary>
    /// Requests that are queued together while there are places. The next ones follow when the last of them has left its
    /// queue: a queue that does not move gets no more.
    /// </summary>
    private const int MostTogether = 64;

    private ParkedRequests? _parked; // null until the first comes; guarded by the connection's lock, like the next fields
    private bool _unparking;
    private ushort _asks; // incremented each time this is asked to unpark while it does; small, as an idle connection has it
    private long _waitsSince = Clock.Never; // since then none got a place
    private long _lackSince = Clock.Never; // since then parked requests get places only when others end

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
        lock (session.Gate)
        {
            // A connection that another thread has ended has failed its parked requests, and nothing would take one more.
            if (session.State <= ConnectionState.Open
                && Parked.TryAdd(
                    call with { InTurn = false }, body, session.Options.ParkedLimit, room.RunningLeft, from,
                    session.Clock.Now, _lackSince, out memory))
            {
                session.CountParkedLocked();
                if (_waitsSince == Clock.Never) UnparkLocked(); // otherwise every request that comes would ask for a place
                AwaitLocked();
                return null;
            }

            lack = room.LackLocked(lacksPlace: _waitsSince != Clock.Never);
        }

        if (memory != MemoryVerdict.Granted) return acceptor.RefuseForMemory(call, Memory!.Describe("request", body.Length, memory), memory);
        if (!HasPlace(session.RequestCounts.RunningCount)) lack = lack with { LacksPlace = true }; // also if none has looked yet
        if (lack.LacksPlace) session.Handlers!.OnParkingFull();
        var text = $"Too many requests of the connection are waiting, which MaxParkedBytes ({session.Options.ParkedLimit}) " +
            $"limits: {lack.Describe(session.Options, acceptor.NoPlace)}";
        return lack.LacksPlace && !IsLarge(body.Length)
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
        int left = MostTogether;
        while (TryGoOn(isLast: --left == 0))
        {
            // One request each.
        }
    }

    /// <summary>Starts the next request, or answers those that will not run.</summary>
    /// <param name="isLast">True if more are started by a later run, which is queued then.</param>
    /// <returns>False if this run is over.</returns>
    private bool TryGoOn(bool isLast)
    {
        ParkedRequest parked = default;
        IDeferredRequest? deferred = null;
        AbandonedRequests abandoned;
        ushort asks = Volatile.Read(ref _asks);
        bool hasPlace = HasPlace(session.RequestCounts.RunningCount + 1); // before the lock is taken: the limit has its own
        PlaceWait wait;
        lock (session.Gate)
        {
            long now = session.Clock.Now;
            NoteLackLocked(hasPlace, now);
            abandoned = TakeAbandonedLocked(now);
            bool isTaken = abandoned.IsEmpty && room.IsFreeForNextLocked && IsDecidedLocked(hasPlace, now);
            wait = new PlaceWait(now - Math.Min(_waitsSince, now), _lackSince);
            if (isTaken) deferred = room.TakeLocked();
            bool stops = abandoned.IsEmpty && deferred is null && (!isTaken || !TryTakeLocked(out parked));
            if (session.ParkedRequests == 0) _waitsSince = _lackSince = Clock.Never; // the next one begins to wait anew
            if (stops)
            {
                if (asks != _asks) session.Options.Work.Add(this); // what was freed after the look would be seen by nobody
                else _unparking = false;
                AwaitLocked(); // another connection may have taken what there was when this was queued
                return false;
            }
        }

        if (!abandoned.IsEmpty) End(abandoned, wait);
        else if (deferred is not null) Decide(deferred, hasPlace, wait);
        else if (!hasPlace || parked.IsLate(session.Clock.Now, wait.LackSince)) End(parked, wait);
        else if (TryQueue(parked, isLast)) return !isLast;

        if (isLast) session.Options.Work.Add(this);
        return !isLast;
    }

    /// <summary>Notes since when requests get places only when others end: not while they wait for their peer to read.</summary>
    private void NoteLackLocked(bool hasPlace, long now)
    {
        session.AssertLocked();
        if (hasPlace)
        {
            if (!room.IsFreeForNextLocked) _lackSince = Clock.Never;
        }
        else if (_lackSince == Clock.Never && session.ParkedRequests > 0)
        {
            _lackSince = now;
            Parked.SearchAtOnce(now); // sets the time of the next search for each
        }
    }

    /// <summary>Resumes a queued request that had no room for its reply, or refuses it if it has waited too long for a place.</summary>
    private void Decide(IDeferredRequest deferred, bool hasPlace, in PlaceWait wait)
    {
        if (hasPlace)
        {
            deferred.Resume();
            return;
        }

        session.Handlers!.OnRefused();
        deferred.Refuse(AfterNone(wait), Acceptor.RetryAfterLack, isPause: IsLarge(deferred.Length));
    }

    /// <summary>Queues a parked request for the thread that runs it. It keeps its memory, so that it is not refused for lack of it.</summary>
    /// <returns>False if too much is queued: then it is answered.</returns>
    private bool TryQueue(in ParkedRequest parked, bool isLast)
    {
        var (call, body, length, carried, _) = parked;
        acceptor.TryCharge(call, length, ref carried);
        Memory?.Release(carried);
        if (call.Method.TryQueue(call, new UnparkedRequest(call, body, length, next: isLast ? this : null), length)) return true;
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
    /// <param name="running">Requests that run, including that one.</param>
    private bool HasPlace(int running) => session.Handlers is not { } handlers || handlers.TryResume(running, session.Clock.Now);

    /// <summary>True if the next request waits no longer: it has a place, or has waited too long for one.</summary>
    private bool IsDecidedLocked(bool hasPlace, long now)
    {
        session.AssertLocked();
        if (hasPlace || session.ParkedRequests == 0)
        {
            _waitsSince = Clock.Never;
            return true;
        }

        if (_waitsSince == Clock.Never) _waitsSince = now;
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
        return new(Parked.TakeAbandoned(now, _lackSince, MostAbandoned), deferred);
    }

    private void End(in AbandonedRequests abandoned, in PlaceWait wait)
    {
        for (int i = 0; i < abandoned.Parked?.Count; i++)
        {
            lock (session.Gate) session.CountUnparkedLocked(); // here: the rest must not count as running
            End(abandoned.Parked[i], wait);
        }

        abandoned.Deferred?.ForEach(static request => request.Resume()); // it ends where it would run
    }

    /// <summary>Answers a request that will not run: its caller has abandoned it, or it has waited too long for a place.</summary>
    private void End(in ParkedRequest request, in PlaceWait wait)
    {
        if (!request.Call.TryFailAbandoned())
        {
            session.Handlers!.OnRefused();
            bool isLate = request.IsLate(session.Clock.Now, wait.LackSince);
            acceptor.RefuseForPlace(request.Call, isLate ? AfterHalf(request, wait) : AfterNone(wait), isKept: IsLarge(request.Length));
        }

        Release(request, request.Charge);
    }

    private string AfterHalf(in ParkedRequest request, in PlaceWait wait)
    {
        long from = request.WaitsFrom(wait.LackSince), half = request.HalfTime(wait.LackSince);
        return acceptor.NoPlace.AfterHalf(from - request.Arrived, half - from, request.Call.MostTimeText);
    }

    private string AfterNone(in PlaceWait wait) =>
        acceptor.NoPlace.AfterNone(wait.WithoutAny, mayWaitForItself: wait.WithoutAny >= LongestWait);

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

    /// <summary>How long the requests of the connection have waited for places.</summary>
    /// <param name="WithoutAny">Time for which none has got one, microseconds.</param>
    /// <param name="LackSince">Since when they get places only when others end; <see cref="Clock.Never"/> if they need not wait.</param>
    private readonly record struct PlaceWait(long WithoutAny, long LackSince);

    private sealed class Resumption(IDeferredRequest request) : IThreadPoolWorkItem
    {
        public void Execute() => request.Resume();
    }
}
