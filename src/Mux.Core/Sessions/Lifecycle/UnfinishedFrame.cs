using Mux.Timing;

namespace Mux.Sessions.Lifecycle;

/// <summary>
/// Until when the peer has to finish a frame it began: what has arrived of it holds a receive buffer, so a silent or dribbling peer may not keep it for ever.
/// More of the same frame gives it no more time. Nor may one frame behind the other dribble in: the time in which one is begun counts over all frames, and
/// every byte makes up for some of it. Written by the turn, read by anybody.
/// </summary>
/// <param name="timeout">Microseconds.</param>
/// <param name="bytesPerSecond">At which bytes make up for time; 0 if it does not count over frames.</param>
internal sealed class UnfinishedFrame(long timeout, long bytesPerSecond = 0)
{
    private readonly double _microsecondsPerByte = bytesPerSecond == 0 ? 0 : 1_000_000.0 / bytesPerSecond;
    private long _seenAt; // the last delivery
    private long _left; // behind it
    private long _spent; // microseconds in which a frame was begun, and for which no bytes made up
    private long _due = Clock.Never;
    private long _frameDue = Clock.Never;

    public long Due => Volatile.Read(ref _due);

    /// <summary>A delivery is dealt with.</summary>
    /// <param name="now">The time.</param>
    /// <param name="consumed">Bytes of frames that are whole now.</param>
    /// <param name="left">Bytes of one that is not.</param>
    public void OnDelivered(long now, int consumed, int left)
    {
        if (left == 0 && _left == 0 && _spent == 0) return; // nothing was begun, and nothing is owed
        if (bytesPerSecond != 0) CountTime(now, consumed + left - _left);
        bool isNew = consumed > 0 || _frameDue == Clock.Never;
        _frameDue = left == 0 ? Clock.Never : isNew ? Clock.After(now, timeout) : _frameDue;
        _left = left;
        Set(left == 0 || bytesPerSecond == 0 ? _frameDue : Math.Min(_frameDue, Clock.After(now, Math.Max(0, timeout - _spent))));
    }

    private void CountTime(long now, long arrived)
    {
        if (_left > 0) _spent += now - _seenAt;
        _spent = Math.Max(0, _spent - (long)(arrived * _microsecondsPerByte));
        _seenAt = now;
    }

    private void Set(long due)
    {
        if (_due != due) Volatile.Write(ref _due, due);
    }
}
