using System.Diagnostics;
using Mux.Protocol;

namespace Mux.Engine;

/// <summary>
/// The credit of one stream that this side receives: what the peer may send before its items are consumed. Credit is returned by half windows, so a stream
/// costs one small frame per half window. The window grows while it limits the stream (<see cref="WindowGrowth"/>). A sender of items that age asks for a
/// second window, in items (<see cref="ItemWindow"/>).
/// </summary>
/// <remarks>
/// The turn counts frames, and the consumer counts the items that it takes, one thread at a time; they meet under the connection's lock. Each returns what it
/// counted itself. Together their counts are the window, so one of them reaches half of it before it is used up.
/// </remarks>
internal sealed class InboundWindow
{
    private readonly Session _session;
    private readonly CallId _id;
    private readonly FrameKind _kind;
    private readonly int _unreserved; // bytes of the window that do not count in the budget of the connection
    private long _granted; // since the start; written under the lock
    private long _received; // of the turn
    private long _size;
    private long _taken; // and not returned; of the consumer
    private long _dropped; // and not returned; of the turn
    private long _returnedAt;
    private int _kept; // charged to the reassembly budget; guarded by the lock
    private bool _keepsNothing; // guarded by the lock
    private bool _isOver;
    private ItemWindow? _items; // set by the turn ahead of the first item
    private int _use; // Unused, Used or GivenBack

    /// <param name="session">The session of the call.</param>
    /// <param name="id">Id of the call.</param>
    /// <param name="kind">Kind of the frames that return credit.</param>
    /// <param name="size">The peer's credit at the start.</param>
    /// <param name="isReserved">True if it is reserved in the budget of the connection, which gets it back.</param>
    public InboundWindow(Session session, CallId id, FrameKind kind, int size, bool isReserved = true)
    {
        (_session, _id, _kind) = (session, id, kind);
        _unreserved = isReserved ? 0 : size;
        _granted = _size = size;
        _returnedAt = session.Clock.Now;
    }

    private const int Unused = 0;
    private const int Used = 1;
    private const int GivenBack = 2;

    /// <summary>True if no frame was counted. In the turn.</summary>
    public bool IsUnused => _received == 0;

    /// <summary>
    /// True if it is a window of a connection. That of a call whose connection has just ended may be one of another, on which the call is sent again.
    /// </summary>
    public bool IsOf(Session session) => _session == session;

    /// <summary>The first item, or a window in items ahead of it, has come. In the turn, before the item is counted.</summary>
    /// <returns>False if the call is being sent again, on another connection: nothing that comes here belongs to it any more.</returns>
    public bool TryUse() => Interlocked.CompareExchange(ref _use, Used, Unused) != GivenBack;

    /// <summary>The call is to be sent again. Any thread; a turn may be running, of a connection that has just ended.</summary>
    /// <returns>False if an item has come, which its consumer may have seen.</returns>
    public bool TryGiveBack() => Interlocked.CompareExchange(ref _use, GivenBack, Unused) != Used;

    /// <summary>Counts a frame. In the turn.</summary>
    /// <param name="payloadLength">Length of its payload.</param>
    /// <param name="isFirst">True if an item begins with it: an item that has begun may be finished.</param>
    public ProtocolViolation? OnFrame(int payloadLength, bool isFirst)
    {
        if (isFirst && _received >= Volatile.Read(ref _granted))
        {
            return new(ConnectionCode.FlowControlError,
                $"An item of call {_id} arrived without credit: {_granted} bytes were granted, {_received} arrived before it.");
        }

        if (isFirst && _items is { } items && !items.TryReceive())
        {
            return new(ConnectionCode.FlowControlError,
                $"An item of call {_id} arrived without credit: {items.Granted} items were granted, and as many arrived before it.");
        }

        _received += CreditFrame.CostOfItem(payloadLength);
        return null;
    }

    /// <summary>
    /// Decides what stays charged to the reassembly budget for an item that came in fragments: its part beyond the window, until the consumer has taken it. In
    /// the turn, before the consumer can take it.
    /// </summary>
    /// <param name="length">Length of the item, for which the budget is charged.</param>
    /// <returns>The bytes that stay charged.</returns>
    public int Keep(int length)
    {
        lock (_session.Gate)
        {
            Debug.Assert(_kept == 0, "An item began while the one before it was not paid.");
            if (!_isOver && !_keepsNothing) _kept = (int)Math.Clamp(_received - _granted, 0, length);
            return _kept;
        }
    }

    /// <summary>The consumer drops all items, also those that still come. Any thread.</summary>
    public void Forget()
    {
        lock (_session.Gate)
        {
            _keepsNothing = true;
            ReleaseKeptLocked(long.MaxValue);
        }
    }

    /// <summary>Counts items that the consumer has taken. One thread at a time.</summary>
    /// <param name="cost">Their cost.</param>
    /// <param name="items">Their number. A consumer of bytes takes them together.</param>
    public void OnTaken(int cost, int items = 1)
    {
        _taken += cost;
        if (_taken >= Volatile.Read(ref _size) / 2) Return(ref _taken);
        if (_items is { } window && window.OnTaken(items)) ReturnItems(dropped: 0);
    }

    /// <summary>Counts items, too, from the first one on. In the turn, before it.</summary>
    /// <returns>False if they are counted already.</returns>
    public bool TryCountItems(int window)
    {
        if (_items is not null) return false;
        _items = new ItemWindow(window, _session.Clock.Now);
        return true;
    }

    /// <summary>Counts a frame that reaches no consumer. In the turn.</summary>
    public void OnDropped(int cost)
    {
        _dropped += cost;
        _session.Received.EmptyPieces++;
        if (_dropped >= Volatile.Read(ref _size) / 2) Return(ref _dropped);
        if (_items is not null) ReturnItems(dropped: 1);
    }

    /// <summary>Ends the window: the call is over, and credit has no meaning anymore.</summary>
    public void EndLocked()
    {
        _session.AssertLocked();
        if (_isOver) return;
        _isOver = true;
        ReleaseKeptLocked(long.MaxValue);
        _session.StreamBudget.Release(_size - _unreserved);
    }

    private void Return(ref long used)
    {
        OutboundBlock? batch = null;
        long now = _session.Clock.Now;
        lock (_session.Gate)
        {
            if (_isOver || _session.State != ConnectionState.Open) return;
            long grown = WindowGrowth.Next(_size, used, now - _returnedAt, _session.RoundTrip.Shortest);
            long more = _session.StreamBudget.Take(grown - _size);
            int returned = (int)Math.Min(used + more, int.MaxValue);
            _size += more;
            used = 0;
            _returnedAt = now;
            ReleaseKeptLocked(_granted + returned); // before an item may begin that would count as kept
            Volatile.Write(ref _granted, _granted + returned);
            var outbound = _session.Outbound;
            outbound.CommitLocked(FrameWriter.Credit(outbound.ReserveLocked(FrameWriter.CreditFrameLength), _kind, _id, returned));
            _session.AskRoundTripLocked(now);
            batch = _session.Sending.TakeLocked();
        }

        if (batch is not null) _session.Sending.Run(batch);
    }

    /// <param name="dropped">Items that reached no consumer; 0 to return what the consumer has taken.</param>
    private void ReturnItems(int dropped)
    {
        OutboundBlock? batch = null;
        long now = _session.Clock.Now;
        lock (_session.Gate)
        {
            if (_isOver || _session.State != ConnectionState.Open) return;
            int returned = dropped > 0 ? _items!.ReturnDropped(dropped) : _items!.Return(now, _session.RoundTrip.Shortest);
            if (returned == 0) return;
            var outbound = _session.Outbound;
            outbound.CommitLocked(FrameWriter.Credit(outbound.ReserveLocked(FrameWriter.CreditFrameLength), FrameKind.ItemCredit, _id, returned));
            _session.AskRoundTripLocked(now);
            batch = _session.Sending.TakeLocked();
        }

        if (batch is not null) _session.Sending.Run(batch);
    }

    /// <summary>Releases all but the bytes beyond a credit. They belong to the last item: no item begins while the one before it exceeds the credit.</summary>
    private void ReleaseKeptLocked(long granted)
    {
        _session.AssertLocked();
        if (_kept == 0) return;
        int kept = (int)Math.Clamp(_received - granted, 0, _kept); // nothing is being received: see above
        _session.Reassembly.ReleaseKept(_kept - kept);
        _kept = kept;
    }
}

/// <summary>
/// The credit in items of one stream that this side receives. The sender chooses how many items may be under way, because they age there: in its socket, in the
/// network, and in front of a consumer that is slower than they are made. The window is larger only while the round trip would limit a consumer that keeps up.
/// </summary>
/// <remarks>The turn counts what comes, the consumer what it takes, one thread at a time; grants are written under the connection's lock.</remarks>
internal sealed class ItemWindow
{
    private readonly int _least;
    private long _granted; // since the start; written under the lock
    private long _received; // of the turn
    private long _size;
    private long _taken; // and not returned; of the consumer
    private long _returnedAt; // of the consumer

    /// <param name="items">Items that the sender lets be under way.</param>
    /// <param name="now">The time of the connection.</param>
    public ItemWindow(int items, long now)
    {
        _least = items;
        _granted = _size = items;
        _returnedAt = now;
    }

    public long Granted => Volatile.Read(ref _granted);

    /// <summary>Counts an item that has come. In the turn.</summary>
    /// <returns>False if it came without credit.</returns>
    public bool TryReceive() => _received++ < Granted;

    /// <summary>Counts items that the consumer has taken.</summary>
    /// <returns>True if <see cref="Return"/> is due.</returns>
    public bool OnTaken(int items = 1) => (_taken += items) >= Math.Max(1, Volatile.Read(ref _size) / 2);

    /// <summary>Returns items that reach no consumer. Under the connection's lock.</summary>
    /// <returns>The items.</returns>
    public int ReturnDropped(int items)
    {
        Volatile.Write(ref _granted, _granted + items);
        return items;
    }

    /// <summary>Returns what was taken. Under the connection's lock, by the consumer.</summary>
    /// <param name="now">The time of the connection.</param>
    /// <param name="roundTrip">The shortest round trip seen, microseconds; 0 if none was.</param>
    /// <returns>Items that are granted. 0 if the window becomes smaller by all that was taken.</returns>
    public int Return(long now, long roundTrip)
    {
        // Not more than twice the last one: a few items that were taken at once say nothing of the time between them.
        long wanted = Math.Min(2 * _size, WindowGrowth.Next(_least, _taken, now - _returnedAt, roundTrip));
        int returned = (int)Math.Max(0, _taken + wanted - _size);
        Volatile.Write(ref _size, _size - _taken + returned);
        (_taken, _returnedAt) = (0, now);
        Volatile.Write(ref _granted, _granted + returned);
        return returned;
    }
}

/// <summary>
/// The connection's credit for large requests and replies: what the peer may have in transit to this side. It is returned as bytes are stored. So it bounds how
/// long a small message waits for them, not memory, which the reassembly budget bounds. Turn only, except for the lock that it takes.
/// </summary>
internal sealed class BulkWindow(Session session, long size, long largest)
{
    private long _granted = size;
    private long _received;
    private long _size = size;
    private long _unreturned;
    private long _returnedAt;

    /// <summary>Counts a frame of a large message, which was stored or dropped.</summary>
    public ProtocolViolation? OnFrame(int length)
    {
        if (_received >= _granted)
        {
            return new(ConnectionCode.FlowControlError, $"A fragment arrived without credit: {_granted} bytes were granted, {_received} arrived before it.");
        }

        if (_received == 0) _returnedAt = session.Clock.Now;
        _received += length;
        _unreturned += length;
        if (_unreturned >= _size / 2) Return();
        return null;
    }

    private void Return()
    {
        long now = session.Clock.Now;
        lock (session.Gate)
        {
            if (session.State != ConnectionState.Open) return;
            long grown = Math.Max(_size, Math.Min(largest, WindowGrowth.Next(_size, _unreturned, now - _returnedAt, session.RoundTrip.Shortest)));
            int returned = (int)Math.Min(int.MaxValue, _unreturned + grown - _size);
            _size = grown;
            _granted += returned;
            _unreturned = 0;
            _returnedAt = now;
            var outbound = session.Outbound;
            outbound.CommitLocked(FrameWriter.Credit(outbound.ReserveLocked(FrameWriter.CreditFrameLength), FrameKind.Credit, default, returned));
            session.AskRoundTripLocked(now);
        }
    }
}

/// <summary>
/// Computes the size of a credit window: twice what the path holds at the rate of the last use, so that the sender does not wait for credit. Pure.
/// </summary>
internal static class WindowGrowth
{
    /// <summary>The largest useful window: enough for 10 Gbit/s at 13 ms on one connection.</summary>
    public const long Largest = 16 * 1024 * 1024;

    /// <param name="size">The current window.</param>
    /// <param name="used">Bytes consumed since credit was last returned.</param>
    /// <param name="elapsed">Time since then, microseconds.</param>
    /// <param name="roundTrip">The shortest round trip seen, microseconds; 0 if none was: then the window stays.</param>
    /// <returns>The next window, not smaller. While the window is the limit, rate times round trip equals the window, so it doubles.</returns>
    public static long Next(long size, long used, long elapsed, long roundTrip)
    {
        if (roundTrip <= 0) return size;
        double wanted = 2.0 * used * roundTrip / Math.Max(1, elapsed);
        return Math.Max(size, Math.Min(Largest, (long)wanted));
    }
}
