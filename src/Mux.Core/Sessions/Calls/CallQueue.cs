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

    private OutgoingCall? _first;
    private OutgoingCall? _last;
    private long _bytes;

    public int Count { get; private set; }

    public long Bytes => _bytes;

    public long ByteLimit => byteLimit;

    /// <summary>No waiting call expires before this.</summary>
    public long NextDue { get; private set; } = Clock.Never;

    public OutgoingCall? First => _first;

    /// <summary>True if a call with a body of this length may join.</summary>
    public bool HasRoomFor(int bodyLength) => _bytes + bodyLength + CallCharge <= byteLimit;

    /// <summary>Adds a call at the end, with a copy of its request.</summary>
    public void Enqueue(OutgoingCall call, ReadOnlySpan<byte> body)
    {
        if (call.Bulk is { } bulk)
        {
            call.BodyLength = bulk.Left;
        }
        else
        {
            call.Body = BufferPool.Rent(body.Length);
            call.BodyLength = body.Length;
            body.CopyTo(call.Body);
        }

        call.Place = CallPlace.Waiting;
        call.Previous = _last;
        call.Next = null;
        if (_last is null) _first = call;
        else _last.Next = call;
        _last = call;
        Count++;
        _bytes += call.BodyLength + CallCharge;
        NextDue = Math.Min(NextDue, call.Due);
    }

    /// <summary>Removes a call from any position. The call keeps its body.</summary>
    public void Remove(OutgoingCall call)
    {
        if (call.Previous is null) _first = call.Next;
        else call.Previous.Next = call.Next;
        if (call.Next is null) _last = call.Previous;
        else call.Next.Previous = call.Previous;
        call.Next = call.Previous = null;
        call.Place = CallPlace.Outside;
        Count--;
        _bytes -= call.BodyLength + CallCharge;
    }

    /// <summary>Removes all calls, in order, linked by <see cref="OutgoingCall.Next"/>. They keep their bodies.</summary>
    public OutgoingCall? RemoveAll()
    {
        var first = _first;
        for (var call = first; call is not null; call = call.Next)
        {
            call.Previous = null;
            call.Place = CallPlace.Outside;
        }

        _first = _last = null;
        Count = 0;
        _bytes = 0;
        NextDue = Clock.Never;
        return first;
    }

    /// <summary>Removes the calls that have expired, linked by <see cref="OutgoingCall.Next"/>, and updates <see cref="NextDue"/>.</summary>
    public OutgoingCall? RemoveExpired(long now)
    {
        OutgoingCall? expired = null;
        long next = Clock.Never;
        for (var call = _first; call is not null;)
        {
            var behind = call.Next;
            if (call.Due <= now)
            {
                Remove(call);
                call.Next = expired;
                expired = call;
            }
            else
            {
                next = Math.Min(next, call.Due);
            }

            call = behind;
        }

        NextDue = next;
        return expired;
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
