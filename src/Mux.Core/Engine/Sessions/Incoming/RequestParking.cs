using Mux.Protocol;
using Mux.Runtime;

namespace Mux.Engine;

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
    /// queue: a queue that does not move gets no more. Until then those that are parked are not searched either, so half of
    /// their time is the least for which they wait.
    /// </summary>
    private const int MostTogether = 64;

    private ParkedRequests? _parked; // null until the first comes; guarded by the connection's lock, like the next fields
    private bool _unparking;
    private ushort _asks; // incremented each time this is asked to unpark while it does; small, as an idle connection has it

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
                    session.Clock.Now, out memory))
            {
                session.CountParkedLocked();
                if (!Parked.Places.IsWaiting) UnparkLocked(); // otherwise every request that comes would ask for a place
                AwaitLocked();
                return null;
            }

            lack = room.LackLocked(lacksPlace: Parked.Places.IsWaiting);
        }

        if (memory != MemoryVerdict.Granted) return acceptor.RefuseForMemory(call, Memory!.Describe("request", body.Length, memory), memory);
        // It may come before a thread has looked for a place.
        if (lack is { HasRoom: true, LacksPlace: false }) lack = lack with { LacksPlace = !HasPlace(session.RequestCounts.RunningCount) };
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
        if (!room.HasReplyRoom) Parked.Places.End(); // from now on they wait for their peer
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
        for (int left = MostTogether - 1; left >= 0; left--)
        {
            bool isLast = left == 0;
            var next = TakeNext();
            switch (next.Kind)
            {
                case NextKind.None:
                    return;
                case NextKind.Abandoned:
                    End(next.Abandoned, next.Wait);
                    left = 0; // others come first: these may be many
                    break;
                case NextKind.Start:
                    if (TryQueue(next.Parked, calls: isLast ? this : null) && isLast) return;
                    break;
                case NextKind.Refuse:
                    End(next.Parked, next.Wait);
                    break;
                case NextKind.Resume:
                    next.Deferred!.Resume();
                    break;
                default:
                    session.Handlers!.OnRefused();
                    next.Deferred!.Refuse(AfterNone(next.Wait), Acceptor.RetryAfterLack, isPause: IsLarge(next.Deferred.Length));
                    break;
            }
        }

        session.Options.Work.Add(this);
    }

    /// <summary>Takes the next request, or those that will not run.</summary>
    /// <returns>If it is <see cref="NextKind.None"/>, the run is over.</returns>
    private NextRequest TakeNext()
    {
        ushort asks = Volatile.Read(ref _asks);
        bool hasPlace = HasPlace(session.RequestCounts.RunningCount + 1); // before the lock is taken: the limit has its own
        lock (session.Gate)
        {
            long now = session.Clock.Now;
            if (!hasPlace && room.IsFreeForNextLocked && session.ParkedRequests > 0 && Parked.Places.OnLack(now)) Parked.SearchSoon(now);
            var abandoned = TakeAbandonedLocked(now);
            var next = !abandoned.IsEmpty ? new NextRequest(NextKind.Abandoned) { Abandoned = abandoned }
                : room.IsFreeForNextLocked && IsDecidedLocked(hasPlace, now) ? TakeDecidedLocked(hasPlace, now)
                : default;
            next = next with { Wait = Parked.Places };
            if (hasPlace) Parked.Places.OnPlace(now);
            if (session.ParkedRequests == 0 || !room.HasReplyRoom) Parked.Places.End(); // the next one begins to wait anew
            if (next.Kind != NextKind.None) return next;
            if (asks != _asks) session.Options.Work.Add(this); // what was freed after the look would be seen by nobody
            else _unparking = false;
            AwaitLocked(); // another connection may have taken what there was when this was queued
            return next;
        }
    }

    /// <summary>Takes the oldest request, which waits no longer.</summary>
    private NextRequest TakeDecidedLocked(bool hasPlace, long now)
    {
        session.AssertLocked();
        if (room.TakeLocked() is { } deferred) return new(hasPlace ? NextKind.Resume : NextKind.RefuseDeferred) { Deferred = deferred };
        if (!TryTakeLocked(out var parked)) return default;
        if (!hasPlace || parked.IsLate(now, Parked.Places.LackSince)) return new(NextKind.Refuse) { Parked = parked };
        return new(NextKind.Start) { Parked = ChargeLocked(parked) };
    }

    /// <summary>Charges a request that is about to run. It keeps its memory, so that it is not refused for lack of it.</summary>
    /// <remarks>Under the lock, in which all calls are failed at the end of a drain: a charge after that would stay for ever.</remarks>
    private ParkedRequest ChargeLocked(in ParkedRequest parked)
    {
        session.AssertLocked();
        long carried = parked.Charge;
        var call = parked.Call;
        if (call.Replies.Slots.IsOpen(call.Id.Slot, out var open) && open == call.Id) acceptor.TryCharge(call, parked.Length, ref carried);
        return parked with { Charge = carried };
    }

    /// <summary>Queues a parked request for the thread that runs it.</summary>
    /// <param name="parked">The request, with the memory that it needs no longer.</param>
    /// <param name="calls">Is called when it leaves that queue, unless it is null.</param>
    /// <returns>False if too much is queued: then it is answered.</returns>
    private bool TryQueue(in ParkedRequest parked, IThreadPoolWorkItem? calls)
    {
        Memory?.Release(parked.Charge);
        var (call, body, length) = (parked.Call, parked.Body, parked.Length);
        if (call.Method.TryQueue(call, new UnparkedRequest(call, body, length, calls), length)) return true;
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
        if (hasPlace || session.ParkedRequests == 0) return true;
        int length = room.HasDeferredLocked ? room.NextLengthLocked : Parked.NextLength;
        return Parked.Places.WithoutAny(now) >= (IsLarge(length) ? LongestWaitOfLarge : LongestWait);
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
        return new(Parked.TakeAbandoned(now, MostAbandoned), deferred);
    }

    private void End(in AbandonedRequests abandoned, in PlaceClock wait)
    {
        for (int i = 0; i < abandoned.Parked?.Count; i++)
        {
            lock (session.Gate) session.CountUnparkedLocked(); // here: the rest must not count as running
            End(abandoned.Parked[i], wait);
        }

        abandoned.Deferred?.ForEach(static request => request.Resume()); // it ends where it would run
    }

    /// <summary>Answers a request that will not run: its caller has abandoned it, or it has waited too long for a place.</summary>
    private void End(in ParkedRequest request, in PlaceClock wait)
    {
        if (!request.Call.TryFailAbandoned())
        {
            session.Handlers!.OnRefused();
            bool isLate = request.IsLate(session.Clock.Now, wait.LackSince);
            acceptor.RefuseForPlace(request.Call, isLate ? AfterHalf(request, wait) : AfterNone(wait), isKept: IsLarge(request.Length));
        }

        Release(request, request.Charge);
    }

    private string AfterHalf(in ParkedRequest request, in PlaceClock wait)
    {
        long from = request.WaitsFrom(wait.LackSince), half = request.HalfTime(wait.LackSince);
        return acceptor.NoPlace.AfterHalf(from - request.Arrived, half - from, request.Call.MostTimeText);
    }

    private string AfterNone(in PlaceClock wait)
    {
        long time = wait.WithoutAny(session.Clock.Now);
        return acceptor.NoPlace.AfterNone(time, mayWaitForItself: time >= LongestWait);
    }

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

    private enum NextKind
    {
        None,
        Abandoned,
        Start,
        Refuse,
        Resume,
        RefuseDeferred,
    }

    /// <summary>What a run does next.</summary>
    /// <param name="Kind">What that is. It says which of the others is set.</param>
    private readonly record struct NextRequest(NextKind Kind)
    {
        public AbandonedRequests Abandoned { get; init; }

        public ParkedRequest Parked { get; init; }

        public IDeferredRequest? Deferred { get; init; }

        public PlaceClock Wait { get; init; }
    }

    private sealed class Resumption(IDeferredRequest request) : IThreadPoolWorkItem
    {
        public void Execute() => request.Resume();
    }
}

/// <summary>
/// A parked request on its way to the thread that decodes and runs it. The last one of those that are queued together calls the next ones when it leaves its
/// queue, not after the handler, which may block.
/// </summary>
/// <param name="call">The call.</param>
/// <param name="body">The array of the request, which this object returns.</param>
/// <param name="length">Length of the request in bytes.</param>
/// <param name="next">Starts the next requests; null if another one of those that are queued with this one does so.</param>
internal sealed class UnparkedRequest(InboundCall call, byte[] body, int length, IThreadPoolWorkItem? next) : CallWork(call)
{
    private IThreadPoolWorkItem? _next = next; // null when it is called: a request that must wait again is executed twice

    public override int Length => length;

    public override void Execute()
    {
        CallNext();
        base.Execute();
    }

    public override void Refuse()
    {
        CallNext();
        base.Refuse();
    }

    protected override void Run()
    {
        if (!Call.TryFailAbandoned()) Call.Method.Invoke(Call, body.AsSpan(0, length));
        Release();
    }

    protected override void Release() => BufferPool.Return(body);

    private void CallNext()
    {
        if (_next is not { } next) return;
        _next = null;
        Call.Session.Options.Work.Add(next);
    }
}
