using System.Runtime.CompilerServices;
using Mux.Runtime;

namespace Mux.Engine;

/// <summary>
/// Queues calls, in order, until the connection is open, a slot within the peer's limit is free, or the outgoing queue
/// has room. Each call holds a copy of its encoded request. Bounded: each is charged its body and
/// <see cref="CallCharge"/>. Calls that may have to wait for more than that have lines of their own, so that those
/// of other lines need not be searched for behind them.
/// </summary>
/// <remarks>Guarded by the connection's lock.</remarks>
internal sealed class CallQueue(long byteLimit)
{
    /// <summary>Bytes charged for a waiting call in addition to its body: the call object and its async state machine take some 250.</summary>
    public const int CallCharge = 256;

    /// <summary>Number of lines, see <see cref="FirstOf"/>.</summary>
    public const int Lines = 4;

    /// <summary>
    /// Microseconds for which room is kept for calls that do not wait here. They come within some 10, unless the
    /// threads of the engine are busy or their callers have cancelled them.
    /// </summary>
    private const long KeptFor = 20_000;

    private const int Small = 0;
    private const int Large = 1;
    private const int Streams = 2;
    private const int Ordered = 3; // of all sizes and shapes

    private LineArray _lines;
    private long _bytes;
    private int _removals;
    private uint _arrivals; // wraps: see IsBefore
    private bool _isPassing; // a search for expired calls has begun, and continues at the next fields
    private byte _passedLine;
    private OutgoingCall? _passedTo;
    private long _dueOfPassed = Clock.Never; // the earliest of the calls that the search has kept
    private long _nextDue = Clock.Never;
    private RoomClaim? _claim; // made when something awaits room for the first time

    /// <summary>Number of waiting calls. Any thread; may be off by calls that just change.</summary>
    public int Count => _claim is { } claim ? Math.Max(0, Claims - claim.Count) : Claims;

    /// <summary>
    /// Number of waiting calls, one more while <see cref="Room"/> is to be told, and one while room is kept. The turn
    /// reads it without the lock.
    /// </summary>
    public int Claims { get; private set; }

    /// <summary>True while no large request may leave: the peer had no memory for the last one.</summary>
    public bool HoldsLarge { get; set; }

    public long Bytes => _bytes;

    public long ByteLimit => byteLimit;

    /// <summary>
    /// No waiting call expires before this, and room is kept for longer. In the past while <see cref="RemoveExpired"/>
    /// must be called again.
    /// </summary>
    public long NextDue => _claim is { } claim ? Math.Min(_nextDue, claim.KeptUntil) : _nextDue;

    /// <summary>
    /// Gets the first call of a line; null if it is empty. The lines are those of small calls, of calls with large
    /// requests (<see cref="OutgoingCall.Bulk"/>, also of streams), of other streams, and of calls that keep an order.
    /// Of two calls, the one came first that <see cref="IsBefore"/> the other.
    /// </summary>
    public OutgoingCall? FirstOf(int line) => _lines[line].First;

    /// <summary>True if a waiting call has come before another one; none waits while two billion others come.</summary>
    public static bool IsBefore(OutgoingCall call, OutgoingCall other) =>
        (int)((uint)call.OpenWord - (uint)other.OpenWord) < 0;

    /// <summary>True if no call waits in the line in which a call would.</summary>
    public bool IsFirstOfLine(OutgoingCall call) => _lines[LineOf(call)].First is null;

    /// <summary>What is told once when a call may be appended again that does not wait here; null if nothing is.</summary>
    public IRoomWatch? Room => _claim?.Watch;

    /// <summary>
    /// True while room is kept for calls that do not wait here. Those that do would take it before they come.
    /// </summary>
    public bool KeepsRoom => _claim is { IsKept: true };

    /// <summary>
    /// Has something told of room. Calls that come later wait until it is: otherwise they could take all room for ever.
    /// </summary>
    public void AwaitRoom(IRoomWatch watch)
    {
        var claim = _claim ??= new();
        if (claim.Watch is null) (claim.Since, Claims) = (++_arrivals, Claims + 1);
        claim.Watch = watch;
    }

    public IRoomWatch? TakeRoom()
    {
        if (_claim is not { Watch: { } watch } claim) return null;
        claim.Watch = null;
        Claims--;
        return watch;
    }

    /// <summary>Keeps room for calls that do not wait here, of which something is to be told, for a short time.</summary>
    public void KeepRoom(long now)
    {
        var claim = _claim!;
        if (!claim.IsKept) Claims++;
        (claim.IsKept, claim.KeptUntil) = (true, now + KeptFor);
    }

    /// <summary>
    /// A call has come for which room was kept, or none will come. The time remains: what waits is then looked at again,
    /// whatever became of that call.
    /// </summary>
    public void TakeKept()
    {
        if (_claim is not { IsKept: true } claim) return;
        claim.IsKept = false;
        Claims--;
    }

    /// <summary>True if a waiting call must let others go first that do not wait here.</summary>
    public bool HoldsBack(OutgoingCall call) =>
        _claim is { } claim && (claim.IsKept || (claim.Watch is not null && (int)((uint)call.OpenWord - claim.Since) > 0));

    /// <summary>How often <see cref="RemoveAll"/> was called. Any thread.</summary>
    public int Removals => Volatile.Read(ref _removals);

    /// <summary>
    /// True if a call with a body of this length may join. One that is longer than the limit waits alone: whether it is too long is for the peer to say, and
    /// its array is there already.
    /// </summary>
    public bool HasRoomFor(int bodyLength) => Count == 0 || _bytes + bodyLength + CallCharge <= byteLimit;

    /// <summary>Adds a call at the end, with a copy of its request.</summary>
    public void Enqueue(OutgoingCall call, ReadOnlySpan<byte> body)
    {
        if (call.Bulk is { } bulk)
        {
            call.BodyLength = bulk.Left;
        }
        else
        {
            HoldBody(call, body);
        }

        call.Place = CallPlace.Waiting;
        call.OpenWord = ++_arrivals;
        _lines[LineOf(call)].Add(call);
        if (_isPassing) _dueOfPassed = Math.Min(_dueOfPassed, call.Due); // the search may be behind it
        Claims++;
        _bytes += call.BodyLength + CallCharge;
        _nextDue = Math.Min(_nextDue, call.Due);
    }

    /// <summary>Removes a call from any position. The call keeps its body.</summary>
    public void Remove(OutgoingCall call)
    {
        if (_passedTo == call) _passedTo = call.Next;
        _lines[LineOf(call)].Remove(call);
        call.Place = CallPlace.Outside;
        Claims--;
        _bytes -= call.BodyLength + CallCharge;
    }

    /// <summary>Removes all calls, in order, linked by <see cref="OutgoingCall.Next"/>. They keep their bodies.</summary>
    public OutgoingCall? RemoveAll()
    {
        Volatile.Write(ref _removals, _removals + 1);
        OutgoingCall? first = null, last = null;
        while (FirstOfFirst(Lines) is { } call)
        {
            _lines[LineOf(call)].Remove(call);
            call.Place = CallPlace.Outside;
            if (last is null) first = call;
            else last.Next = call;
            last = call;
        }

        Claims -= Count;
        _bytes = 0;
        _nextDue = Clock.Never;
        (_isPassing, _passedTo) = (false, null);
        return first;
    }

    /// <summary>Removes the first calls, at most <paramref name="most"/>, linked as those of <see cref="RemoveAll"/>.</summary>
    public OutgoingCall? RemoveFirst(int most) => RemoveFirst(most, Lines);

    /// <summary>Removes the first calls that keep no order, at most <paramref name="most"/>, linked as those of <see cref="RemoveAll"/>.</summary>
    public OutgoingCall? RemoveUnordered(int most) => RemoveFirst(most, Ordered);

    /// <summary>
    /// Removes some of the calls that have expired. A queue may hold 100,000 calls, and a search of all of them would keep the connection's lock for
    /// milliseconds: each call of this method looks at some of them. <see cref="NextDue"/> is in the future when all have been looked at.
    /// </summary>
    /// <param name="now">The current time.</param>
    /// <param name="most">Number of calls to look at.</param>
    /// <returns>The expired calls, linked by <see cref="OutgoingCall.Next"/>.</returns>
    public OutgoingCall? RemoveExpired(long now, int most)
    {
        if (_claim is { } claim && claim.KeptUntil <= now)
        {
            TakeKept();
            claim.KeptUntil = Clock.Never;
        }

        if (!_isPassing) (_isPassing, _passedLine, _passedTo, _dueOfPassed) = (true, 0, _lines[0].First, Clock.Never);
        OutgoingCall? expired = null;
        while (true)
        {
            while (_passedTo is null && _passedLine < Lines - 1) _passedTo = _lines[++_passedLine].First;
            if (_passedTo is not { } call) break;
            if (most-- <= 0) return expired;
            _passedTo = call.Next;
            if (call.Due <= now)
            {
                Remove(call);
                call.Next = expired;
                expired = call;
            }
            else
            {
                _dueOfPassed = Math.Min(_dueOfPassed, call.Due);
            }
        }

        _isPassing = false;
        _nextDue = _dueOfPassed;
        return expired;
    }

    /// <summary>Copies the request of a call that has not left yet.</summary>
    public static void HoldBody(OutgoingCall call, ReadOnlySpan<byte> body)
    {
        call.Body = BufferPool.Rent(body.Length);
        call.BodyLength = body.Length;
        body.CopyTo(call.Body);
    }

    /// <summary>Returns the memory of a call that left the queue.</summary>
    public static void ReleaseBody(OutgoingCall call)
    {
        call.BodyLength = 0;
        call.Bulk?.LetGo(); // its request was never appended
        call.Bulk = null;
        if (call.Body is not { } body) return;
        call.Body = null;
        BufferPool.Return(body);
    }

    private static int LineOf(OutgoingCall call)
    {
        if (call.KeepsOrder) return Ordered;
        // Also of a stream: as the first of the streams it would hold back all of them while the peer lacks memory.
        if (call.Bulk is not null) return Large;
        return call.Called.HasStreams ? Streams : Small;
    }

    /// <summary>Gets the call of the first lines that has waited longest; null if none waits in them.</summary>
    private OutgoingCall? FirstOfFirst(int lines)
    {
        OutgoingCall? first = null;
        for (int line = 0; line < lines; line++)
        {
            if (_lines[line].First is { } call && (first is null || IsBefore(call, first))) first = call;
        }

        return first;
    }

    private OutgoingCall? RemoveFirst(int most, int lines)
    {
        OutgoingCall? first = null, last = null;
        for (; most > 0 && FirstOfFirst(lines) is { } call; most--)
        {
            Remove(call);
            if (last is null) first = call;
            else last.Next = call;
            last = call;
        }

        return first;
    }

    /// <summary>The claim to room of calls that do not wait here. Most connections have none.</summary>
    private sealed class RoomClaim
    {
        public IRoomWatch? Watch; // is told of room; null if nothing is
        public uint Since; // when that was set, among the arrivals
        public long KeptUntil = Clock.Never; // the time remains when the room is taken
        public bool IsKept;

        public int Count => (Watch is null ? 0 : 1) + (IsKept ? 1 : 0);
    }

    /// <summary>The lines, in the queue itself: each connection has one.</summary>
    [InlineArray(Lines)]
    private struct LineArray
    {
        private Line _first;
    }

    /// <summary>Calls linked in the order in which they came.</summary>
    private struct Line
    {
        private OutgoingCall? _last;

        public OutgoingCall? First { get; private set; }

        public void Add(OutgoingCall call)
        {
            (call.Previous, call.Next) = (_last, null);
            if (_last is null) First = call;
            else _last.Next = call;
            _last = call;
        }

        public void Remove(OutgoingCall call)
        {
            if (call.Previous is null) First = call.Next;
            else call.Previous.Next = call.Next;
            if (call.Next is null) _last = call.Previous;
            else call.Next.Previous = call.Previous;
            call.Next = call.Previous = null;
        }
    }
}

/// <summary>The calls that belong to one connection. No method of it is called under a lock.</summary>
internal interface IBoundCalls
{
    /// <summary>What is told of room when a call has found none. Read under the connection's lock.</summary>
    IRoomWatch Room { get; }

    /// <summary>The connection has no room for a call: it is untouched, and may be handed over again. Called by the thread that hands it over.</summary>
    /// <param name="call">The call.</param>
    /// <param name="body">Its request, unless that is large; valid only during this method.</param>
    void OnNoRoom(OutgoingCall call, ReadOnlySpan<byte> body);

    /// <summary>Gives back a call that the connection has not sent and cannot send any more. It fails, and is counted.</summary>
    /// <param name="call">The call, whose request is to be released.</param>
    /// <param name="failure">Why it was not sent; null if the end of the connection says it.</param>
    void OnUnsent(OutgoingCall call, CallFailure? failure);
}

/// <summary>Is told once that a connection has room for a call, after one has found none; or that it takes no calls any more.</summary>
internal interface IRoomWatch
{
    /// <summary>Called without locks, also in a turn: must not wait. Not called when the connection ends.</summary>
    void OnRoom();
}
