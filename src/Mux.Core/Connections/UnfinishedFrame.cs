namespace Mux.Connections;

/// <summary>
/// Until when the peer has to finish a frame it began: what has arrived of it holds a receive buffer, so a silent or dribbling peer may not keep it for ever. More of the same
/// frame gives it no more time. Written by the turn, read by anybody.
/// </summary>
internal sealed class UnfinishedFrame(long timeout)
{
    private long _due = Clock.Never;

    public long Due => Volatile.Read(ref _due);

    /// <summary>A delivery is dealt with.</summary>
    /// <param name="now">The time.</param>
    /// <param name="consumed">Bytes of frames that are whole now.</param>
    /// <param name="left">Bytes of one that is not.</param>
    public void OnDelivered(long now, int consumed, int left)
    {
        if (left == 0) Set(Clock.Never);
        else if (consumed > 0 || _due == Clock.Never) Set(Clock.After(now, timeout));
    }

    private void Set(long due)
    {
        if (_due != due) Volatile.Write(ref _due, due);
    }
}
