using Mux.Runtime;

namespace Mux.Engine;

/// <summary>
/// Measures how long a peer takes for what waits for it. Bytes that it takes now and then make the time no shorter: that takes as many as waited. So one that
/// keeps much waiting and reads a trickle is slow, and one that reads as fast as it is sent is not, although its queue is never empty. Guarded by its owner.
/// </summary>
internal sealed class BacklogAge
{
    private long _since = Clock.Never;
    private long _markedAt;
    private long _left; // of the bytes that waited at that time

    /// <summary>Time since which the peer has not taken what waited then; <see cref="Clock.Never"/> if nothing waits. Any thread.</summary>
    public long Since => Volatile.Read(ref _since);

    /// <summary>Counts bytes that the peer took while others waited.</summary>
    /// <param name="now">The current time.</param>
    /// <param name="bytes">Bytes that it took.</param>
    /// <param name="waiting">Bytes that wait now.</param>
    public void OnTaken(long now, long bytes, long waiting)
    {
        _left = Math.Min(_left - bytes, waiting); // bytes that were dropped wait no longer
        if (_since == Clock.Never) Volatile.Write(ref _since, now);
        else if (_left <= 0) Volatile.Write(ref _since, _markedAt); // not the current time: the new bytes have waited since then
        else return;
        (_markedAt, _left) = (now, waiting);
    }

    /// <summary>Nothing waits anymore.</summary>
    public void Clear() => Volatile.Write(ref _since, Clock.Never);
}
