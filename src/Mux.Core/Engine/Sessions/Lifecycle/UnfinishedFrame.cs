using Mux.Runtime;

namespace Mux.Engine;

/// <summary>
/// Limits the time in which the peer must finish a frame that it began: its bytes hold a receive buffer, which a silent or dribbling peer must not keep
/// forever. More bytes of the same frame give no more time. A peer that dribbles frame after frame is limited too: time with an unfinished frame is summed over
/// all frames, and every byte earns some of it back. Written by the turn, read by any thread.
/// </summary>
/// <param name="timeout">Longest time for one frame, microseconds.</param>
/// <param name="bytesPerSecond">Rate at which bytes earn time back; 0 if time is not summed over frames.</param>
internal sealed class UnfinishedFrame(long timeout, long bytesPerSecond = 0)
{
    private readonly double _microsecondsPerByte = bytesPerSecond == 0 ? 0 : 1_000_000.0 / bytesPerSecond;
    private long _seenAt; // time of the last delivery
    private long _left; // bytes of an unfinished frame after it
    private long _spent; // microseconds with an unfinished frame that no bytes have earned back
    private long _due = Clock.Never;
    private long _frameDue = Clock.Never;

    public long Due => Volatile.Read(ref _due);

    /// <summary>Handles the end of a delivery.</summary>
    /// <param name="now">The current time.</param>
    /// <param name="consumed">Bytes of frames that are now whole.</param>
    /// <param name="left">Bytes of a frame that is not whole.</param>
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
