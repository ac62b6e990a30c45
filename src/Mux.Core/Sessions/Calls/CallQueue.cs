using Mux.Buffers;
using Mux.Timing;

namespace Mux.Sessions.Calls;

/// <summary>
/// Queues calls, in order, until the connection is open, a slot within the peer's limit is free, or the outgoing queue has room. Each call holds a copy of its
/// encoded request. Bounded: each is charged its body and <see cref="CallCharge"/>.
/// </summary>
/// <remarks>Guarded by the connection's lock.</remarks>
internal sealed class CallQueue(long byteLimit)
{
    /// <summary>Bytes charged for a waiting call in addition to its body: the call object and its async state machine take some 250.</summary>
    public const int CallCharge = 256;

    private const int LooksAtOrdered = 512;

    private OutgoingCall? _first;
    private OutgoingCall? _last;
    private long _bytes;
    private int _removals;
    private bool _isPassing; // a search for expired calls has begun, and continues at the next field
    private OutgoingCall? _passedTo;
    private long _dueOfPassed = Clock.Never; // the earliest of the calls that the search has kept

    public int Count { get; private set; }

    /// <summary>Number of the waiting calls whose requests are large: see <see cref="OutgoingCall.Bulk"/>.</summary>
    public int BulkCount { get; private set; }

    /// <summary>Number of the waiting calls that small ones may go before: those, and streams.</summary>
    public int PassableCount { get; private set; }

    /// <summary>True while no large request may leave: the peer had no memory for the last one.</summary>
    public bool HoldsLarge { get; set; }

    public long Bytes => _bytes;

    public long ByteLimit => byteLimit;

    /// <summary>No waiting call expires before this. In the past while <see cref="RemoveExpired"/> must be called again.</summary>
    public long NextDue { get; private set; } = Clock.Never;

    public OutgoingCall? First => _first;

    /// <summary>What is told once when a call may be appended again that does not wait here; null if nothing is.</summary>
    public IRoomWatch? Room { get; set; }

    public IRoomWatch? TakeRoom()
    {
        var room = Room;
        if (room is not null) Room = null;
        return room;
    }

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
            BulkCount++;
        }
        else
        {
            HoldBody(call, body);
        }

        if (IsPassable(call)) PassableCount++;
        call.Place = CallPlace.Waiting;
        call.Previous = _last;
        call.Next = null;
        if (_last is null) _first = call;
        else _last.Next = call;
        _last = call;
        if (_isPassing) _passedTo ??= call; // the next call to look at was the last one, and left
        Count++;
        _bytes += call.BodyLength + CallCharge;
        NextDue = Math.Min(NextDue, call.Due);
    }

    /// <summary>Removes a call from any position. The call keeps its body.</summary>
    public void Remove(OutgoingCall call)
    {
        if (_passedTo == call) _passedTo = call.Next;
        if (call.Previous is null) _first = call.Next;
        else call.Previous.Next = call.Next;
        if (call.Next is null) _last = call.Previous;
        else call.Next.Previous = call.Previous;
        call.Next = call.Previous = null;
        call.Place = CallPlace.Outside;
        Count--;
        if (call.Bulk is not null) BulkCount--;
        if (IsPassable(call)) PassableCount--;
        _bytes -= call.BodyLength + CallCharge;
    }

    /// <summary>Removes all calls, in order, linked by <see cref="OutgoingCall.Next"/>. They keep their bodies.</summary>
    public OutgoingCall? RemoveAll()
    {
        Volatile.Write(ref _removals, _removals + 1);
        var first = _first;
        for (var call = first; call is not null; call = call.Next)
        {
            call.Previous = null;
            call.Place = CallPlace.Outside;
        }

        _first = _last = null;
        (Count, BulkCount, PassableCount) = (0, 0, 0);
        _bytes = 0;
        NextDue = Clock.Never;
        (_isPassing, _passedTo) = (false, null);
        return first;
    }

    /// <summary>Removes the first calls, at most <paramref name="most"/>, linked as those of <see cref="RemoveAll"/>.</summary>
    public OutgoingCall? RemoveFirst(int most)
    {
        OutgoingCall? first = null, last = null;
        for (; most > 0 && _first is { } call; most--)
        {
            Remove(call);
            if (last is null) first = call;
            else last.Next = call;
            last = call;
        }

        return first;
    }

    /// <summary>Removes the first calls that keep no order, at most <paramref name="most"/>, linked as those of <see cref="RemoveAll"/>.</summary>
    /// <remarks>It looks at some calls more than it may remove, and no further, for the same reason as <see cref="RemoveExpired"/>.</remarks>
    public OutgoingCall? RemoveUnordered(int most)
    {
        OutgoingCall? first = null, last = null, next = _first;
        for (int looks = most + LooksAtOrdered; most > 0 && looks > 0 && next is { } call; looks--)
        {
            next = call.Next;
            if (call.KeepsOrder) continue;
            Remove(call);
            if (last is null) first = call;
            else last.Next = call;
            last = call;
            most--;
        }

        return first;
    }

    /// <summary>
    /// Removes some of the calls that have expired. A queue may hold 100,000 calls, and a search of all of them would keep the connection's lock for
    /// milliseconds: each call of this method looks at some of them. <see cref="NextDue"/> is in the future when all have been looked at.
    /// </summary>
    /// <param name="now">The current time.</param>
    /// <param name="most">Number of calls to look at.</param>
    /// <returns>The expired calls, linked by <see cref="OutgoingCall.Next"/>.</returns>
    public OutgoingCall? RemoveExpired(long now, int most)
    {
        if (!_isPassing) (_isPassing, _passedTo, _dueOfPassed) = (true, _first, Clock.Never);
        OutgoingCall? expired = null;
        for (; most > 0 && _passedTo is { } call; most--)
        {
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

        if (_passedTo is not null) return expired;
        _isPassing = false;
        NextDue = _dueOfPassed;
        return expired;
    }

    private static bool IsPassable(OutgoingCall call) => call.Bulk is not null || call.Called.HasStreams;

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
}
