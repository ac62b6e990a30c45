using Mux.Protocol;

namespace Mux.Engine;

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
