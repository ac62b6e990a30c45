using Mux.Protocol;
using Mux.Runtime;

namespace Mux.Engine;

/// <summary>
/// Requests that arrived while the peer reads its replies too slowly, or the server had no place for their handlers. They
/// are kept, bounded, and run later. Reading continues meanwhile, because CANCEL and replies must get through. Guarded by
/// the connection's lock.
/// </summary>
internal sealed class ParkedRequests
{
    /// <summary>
    /// Bytes charged for a parked request in addition to its body: an entry of the queue has 96, of which a queue that grew
    /// holds two, and the array of the body 24.
    /// </summary>
    private const int RequestCharge = 216;

    /// <summary>
    /// Searches for abandoned requests come at multiples of this, microseconds: each passes all that are parked, some ten
    /// nanoseconds each.
    /// </summary>
    private const long SearchInterval = 50_000;

    /// <summary>The interval for calls with little time: an eighth of it, and not less than this, microseconds.</summary>
    private const long ShortestSearchInterval = 5_000;

    private SeldomQueue<ParkedRequest> _requests;
    private PlaceClock _places = new();

    /// <summary>Since when they wait for places.</summary>
    public ref PlaceClock Places => ref _places;

    /// <summary>Time of the next search for abandoned requests, or <see cref="Clock.Never"/>.</summary>
    public long NextSearch { get; private set; } = Clock.Never;

    /// <summary>The connection's share of the server's memory; null if that is not limited. Set before anything is received.</summary>
    public MemoryShare? Memory { get; set; }

    public int Count => _requests.Count;

    /// <summary>Length of the request that is taken next; 0 if there is none.</summary>
    public int NextLength => _requests.Count == 0 ? 0 : _requests.Peek().Length;

    public long Bytes { get; private set; }

    /// <summary>Keeps a request, if there is room.</summary>
    /// <param name="call">The call.</param>
    /// <param name="body">The request, which is copied.</param>
    /// <param name="byteLimit">Bytes that all of them may hold.</param>
    /// <param name="spare">
    /// Bytes that small requests may hold above the limit, while the server has much memory: callers send large ones again, and keep no small ones for that.
    /// </param>
    /// <param name="from">The message that has the body, which passes on its memory of the server; null if the request came in one frame.</param>
    /// <param name="now">The current time.</param>
    /// <param name="lack">The limit of the server that prevents it, if it is one of those.</param>
    public bool TryAdd(
        in InboundCall call, ReadOnlySpan<byte> body, long byteLimit, long spare, PartialMessage? from, long now,
        out MemoryVerdict lack)
    {
        lack = MemoryVerdict.Granted;
        long charge = (long)body.Length + call.HeldBeside + RequestCharge;
        // One request is kept whatever its size: otherwise it could never run.
        bool isAbove = Bytes + charge > byteLimit && (Count > 0 || byteLimit == 0);
        if (isAbove && (byteLimit == 0 || body.Length > ProtocolConstants.MaxWholeBody || Bytes + charge > byteLimit + spare)) return false;
        if (Memory is { } memory)
        {
            long passed = from?.PassOn(charge) ?? 0;
            if (passed > 0) memory.Take(charge - passed);
            else if (isAbove && !memory.TryTakeAhead(charge)) return false;
            else if (!isAbove && (lack = memory.TryTake(charge)) != MemoryVerdict.Granted) return false;
        }

        var copy = BufferPool.Rent(body.Length);
        body.CopyTo(copy);
        var request = new ParkedRequest(call, copy, body.Length, charge, now);
        _requests.Enqueue(request);
        Bytes += charge;
        SearchFor(request, now);
        return true;
    }

    /// <summary>Callers may have abandoned requests at this time.</summary>
    public void SearchAfter(long time, long interval = SearchInterval) =>
        NextSearch = Math.Min(NextSearch, ((time / interval) + 1) * interval);

    /// <summary>Requests wait for a place from now on, so half of the time of each decides when the next search comes.</summary>
    public void SearchSoon(long now) => SearchAfter(now, ShortestSearchInterval);

    /// <summary>
    /// Takes requests that their callers have abandoned or that have waited for a place for half of their time, if it is
    /// time to search for them. The others keep their order.
    /// </summary>
    /// <param name="now">The current time.</param>
    /// <param name="most">Most requests to take. If there are as many, the next search may follow at once.</param>
    /// <returns>The requests; null if there are none.</returns>
    public List<ParkedRequest>? TakeAbandoned(long now, int most)
    {
        if (NextSearch > now) return null;
        List<ParkedRequest>? taken = null;
        int room = most;
        NextSearch = Clock.Never;

        // The oldest are usually the first to go. When they are as many as may be taken, the others are not passed for nothing.
        while (room > 0 && _requests.Count > 0 && IsOver(_requests.Peek())) Take(_requests.Dequeue());
        for (int left = room > 0 ? _requests.Count : 0; left > 0; left--)
        {
            var request = _requests.Dequeue();
            if (room > 0 && IsOver(request))
            {
                Take(request);
                continue;
            }

            _requests.Enqueue(request);
            SearchFor(request, now);
        }

        if (room == 0) NextSearch = now;
        return taken;

        bool IsOver(in ParkedRequest request) => request.Call.IsAbandonedAt(now) || request.IsLate(now, _places.LackSince);

        void Take(in ParkedRequest request)
        {
            (taken ??= []).Add(request);
            Bytes -= request.Charge;
            room--;
        }
    }

    /// <summary>Takes the oldest request. The caller owns its body and its charge.</summary>
    public bool TryTake(out ParkedRequest request)
    {
        if (!_requests.TryDequeue(out request)) return false;
        Bytes -= request.Charge;
        return true;
    }

    private void SearchFor(in ParkedRequest request, long now)
    {
        if (request.Call.Due is Clock.Never) return;
        long half = request.HalfTime(_places.LackSince), from = request.WaitsFrom(_places.LackSince);
        if (half == Clock.Never || half <= now)
        {
            SearchAfter(request.Call.Due);
            return;
        }

        // Once before the half, too: the look finds places that other connections have left.
        long interval = Math.Clamp((half - from) / 4, ShortestSearchInterval, SearchInterval), quarter = from + ((half - from) / 2);
        SearchAfter(quarter > now ? quarter : half, interval);
    }
}

/// <summary>How long the parked requests of a connection have waited for places. Guarded by the connection's lock.</summary>
internal struct PlaceClock()
{
    /// <summary>
    /// Time without a lack after which it is over, microseconds: five looks for places. In an overloaded server each run finds
    /// some places, and soon none.
    /// </summary>
    private const long Over = 500_000;

    private long _none = Clock.Never; // since then none got a place
    private long _last = long.MinValue; // the last time at which there was none

    /// <summary>
    /// Since when requests get places only when others end, so that half of their time decides; <see cref="Clock.Never"/> if
    /// they wait for nothing, or for their peer to read.
    /// </summary>
    public long LackSince { get; private set; } = Clock.Never;

    /// <summary>True if the oldest request waits for a place.</summary>
    public readonly bool IsWaiting => _none != Clock.Never;

    /// <summary>Time for which no request has got a place, microseconds.</summary>
    public readonly long WithoutAny(long now) => now - Math.Min(_none, now);

    /// <summary>There was no place for the oldest request.</summary>
    /// <returns>True if the lack begins.</returns>
    public bool OnLack(long now)
    {
        (_none, _last) = (Math.Min(_none, now), now);
        if (LackSince != Clock.Never) return false;
        LackSince = now;
        return true;
    }

    /// <summary>There was a place.</summary>
    public void OnPlace(long now)
    {
        _none = Clock.Never;
        if (LackSince != Clock.Never && now - _last >= Over) LackSince = Clock.Never;
    }

    /// <summary>No request waits for a place any longer.</summary>
    public void End() => _none = LackSince = Clock.Never;
}

/// <summary>A request that waits until it may run.</summary>
/// <param name="Call">The call, which is in no turn.</param>
/// <param name="Body">The array of the request.</param>
/// <param name="Length">Length of the request in bytes.</param>
/// <param name="Charge">Bytes taken of the server's memory for it.</param>
/// <param name="Arrived">Time at which it was parked.</param>
internal readonly record struct ParkedRequest(InboundCall Call, byte[] Body, int Length, long Charge, long Arrived)
{
    /// <summary>True if the request has waited for a place for half of the time that it had when that wait began.</summary>
    /// <param name="now">The current time.</param>
    /// <param name="lackSince">As for <see cref="HalfTime"/>.</param>
    public bool IsLate(long now, long lackSince) => HalfTime(lackSince) <= now;

    /// <summary>
    /// Time from which it does not wait for a place: half of the time is gone that it had when it began to wait for one.
    /// Begun later, requests of a server that is a little overloaded would expire while they run, so that nearly none
    /// succeeds. Their callers use the other half elsewhere.
    /// </summary>
    /// <param name="lackSince">Time since which parked requests wait for places; <see cref="Clock.Never"/> if they do not.</param>
    public long HalfTime(long lackSince)
    {
        if (Call.Due == Clock.Never || lackSince == Clock.Never) return Clock.Never;
        long from = WaitsFrom(lackSince);
        return from + ((Call.Due - from) / 2);
    }

    /// <summary>Time since which it waits for a place.</summary>
    /// <param name="lackSince">As for <see cref="HalfTime"/>.</param>
    public long WaitsFrom(long lackSince) => Math.Max(Arrived, lackSince);
}

/// <summary>A request that found no room for its reply on the thread that was to run it.</summary>
internal interface IDeferredRequest
{
    /// <summary>
    /// Time at which it expires, or <see cref="Clock.Never"/>. Read only while it is deferred, like the next two members.
    /// </summary>
    long Due { get; }

    /// <summary>Length of the request in bytes.</summary>
    int Length { get; }

    /// <summary>True if its caller has abandoned it.</summary>
    /// <param name="now">The current time.</param>
    bool IsAbandoned(long now);

    /// <summary>
    /// Starts the request again: there is room, the connection is over, or its caller has abandoned it, so that it ends
    /// without running. Never throws.
    /// </summary>
    void Resume();

    /// <summary>Answers the request, which will not run: ResourceExhausted, not executed. Never throws.</summary>
    /// <param name="text">Message for the caller.</param>
    /// <param name="retryAfterMilliseconds">Time after which a retry makes sense.</param>
    /// <param name="isPause">As for <see cref="InboundCall.FailOverloaded"/>.</param>
    void Refuse(string text, uint retryAfterMilliseconds, bool isPause);
}
