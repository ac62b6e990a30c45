using System.Numerics;
using Mux.Runtime;

namespace Mux.Protocol;

/// <summary>
/// Bounds the large messages that the peer knows of and has not got yet. A receiver takes memory for the whole length from the first frame on, so a sender that
/// announces all it has at once is refused for what it would have sent one after the other. The others are held, in order, until those before them have left.
/// A part of the bulk lane. Guarded by the connection's lock.
/// </summary>
internal struct AnnouncedMessages
{
    /// <summary>Longest message that does not wait for longer ones: it would be sent long before them.</summary>
    private const int Short = 256 * 1024;

    /// <summary>All short messages together may take one part of this many of what long ones may take.</summary>
    private const int ShortPart = 2;

    /// <summary>Most bytes of long messages, unless the peer accepts a longer one: a quarter of what a receiver accepts by default.</summary>
    private const long Most = 16 * 1024 * 1024;

    /// <summary>Number of the longest messages, if they are short.</summary>
    private const long MostMessages = 4;

    private long _limit;
    private long _long;
    private long _short;
    private SeldomQueue<OutboundFlow> _heldLong;
    private SeldomQueue<OutboundFlow> _heldShort;

    /// <summary>Applies the limit of the peer.</summary>
    /// <param name="maxMessage">The longest message that it accepts.</param>
    public void SetLimit(int maxMessage)
    {
        long longest = ReservedFor(maxMessage);
        _limit = Math.Max(longest, Math.Min(Most, MostMessages * longest));
    }

    /// <summary>True if a message of this length may be announced now. A single one always may.</summary>
    public readonly bool HasRoomFor(int length)
    {
        long reserved = ReservedFor(length);
        return (IsShort(reserved) ? _heldShort : _heldLong).Count == 0 && Fits(reserved);
    }

    /// <summary>Counts a message that is announced.</summary>
    public void Take(OutboundFlow flow, int length)
    {
        if (flow.Announced != 0) return; // one for each call
        flow.Announced = ReservedFor(length);
        Count(flow.Announced, 1);
    }

    /// <summary>Holds a flow, which begins with the frame that announces its message.</summary>
    public void Hold(OutboundFlow flow, int length)
    {
        flow.Announced = ReservedFor(length);
        flow.IsHeld = true;
        if (IsShort(flow.Announced)) _heldShort.Enqueue(flow);
        else _heldLong.Enqueue(flow);
    }

    /// <summary>The message of a flow has left, or is dropped.</summary>
    public void Release(OutboundFlow flow)
    {
        if (flow.Announced == 0 || flow.IsHeld) return; // one that is held is not counted, and leaves by its turn
        Count(flow.Announced, -1);
        flow.Announced = 0;
    }

    /// <summary>Takes out a flow that is held and may announce its message now.</summary>
    public bool TryAdmit(out OutboundFlow? flow) => TryAdmit(ref _heldShort, out flow) || TryAdmit(ref _heldLong, out flow);

    /// <summary>Takes out a flow that is held, whose message is dropped.</summary>
    public bool TryTake(out OutboundFlow? flow)
    {
        if (!_heldShort.TryDequeue(out flow) && !_heldLong.TryDequeue(out flow)) return false;
        (flow.IsHeld, flow.Announced) = (false, 0);
        return true;
    }

    private static bool IsShort(long reserved) => reserved <= Short;

    private static long ReservedFor(int length) => BitOperations.RoundUpToPowerOf2((uint)length);

    private readonly bool Fits(long reserved)
    {
        long used = IsShort(reserved) ? _short : _long;
        return used == 0 || _limit == 0 || used + reserved <= (IsShort(reserved) ? _limit / ShortPart : _limit);
    }

    private void Count(long reserved, int sign)
    {
        if (IsShort(reserved)) _short += sign * reserved;
        else _long += sign * reserved;
    }

    private bool TryAdmit(ref SeldomQueue<OutboundFlow> held, out OutboundFlow? flow)
    {
        flow = null;
        if (held.Count == 0) return false;
        var first = held.Peek();
        if (!first.IsEmpty && !Fits(first.Announced)) return false;
        flow = held.Dequeue();
        flow.IsHeld = false;
        if (flow.IsEmpty) flow.Announced = 0; // it was dropped
        else Count(flow.Announced, 1);
        return true;
    }
}
