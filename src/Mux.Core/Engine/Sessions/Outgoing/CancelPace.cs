using Mux.Protocol;
using Mux.Runtime;

namespace Mux.Engine;

/// <summary>
/// Keeps the cancels of this side within what the peer has announced (setting 19). Cancels beyond it are sent when their calls are no longer young. A delayed
/// cancel only lets the handler run longer: the caller's call fails at once. Guarded by the connection's lock.
/// </summary>
/// <param name="announced">Number of calls within ten seconds from which the peer counts how many are cancelled.</param>
internal sealed class CancelPace(long announced)
{
    /// <summary>
    /// A bucket gives twice its capacity within one window of the peer, and a link may deliver what it delayed in a shorter time. A quarter stays below nine
    /// tenths.
    /// </summary>
    private const int Part = 4;

    /// <summary>Microseconds after which a call is no longer young at the peer, with some margin for clocks.</summary>
    private const long Delay = 1_200_000;

    private readonly TokenBucket _bucket = new(Math.Max(1, announced / Part));
    private readonly Queue<(CallId Id, CancelReason Reason, long Due)> _held = new();

    public long NextDue => _held.TryPeek(out var first) ? first.Due : Clock.Never;

    /// <summary>True if a cancel may be sent now; otherwise it is kept for <see cref="TryTake"/>.</summary>
    public bool TrySend(CallId id, CancelReason reason, long now)
    {
        if (_bucket.TryTake(now)) return true;
        _held.Enqueue((id, reason, now + Delay));
        return false;
    }

    /// <summary>Takes the next cancel after its delay. Its call may be answered by now.</summary>
    public bool TryTake(long now, out CallId id, out CancelReason reason)
    {
        (id, reason) = (default, default);
        if (!_held.TryPeek(out var first) || first.Due > now) return false;
        (id, reason, _) = _held.Dequeue();
        return true;
    }
}
