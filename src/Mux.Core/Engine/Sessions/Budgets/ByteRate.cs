namespace Mux.Engine;

/// <summary>
/// Checks that owed bytes come fast enough, averaged over a period. A peer that moves one byte now and then makes progress, and could otherwise hold what waits
/// for it forever. Guarded by its owner.
/// </summary>
/// <param name="bytesPerSecond">The least rate; 0 means none.</param>
/// <param name="period">Length of a period, microseconds.</param>
internal sealed class ByteRate(long bytesPerSecond, long period)
{
    private long _since = long.MaxValue;
    private long _bytes;

    /// <summary>Time of the next <see cref="IsTooSlow"/> check; <see cref="long.MaxValue"/> while nothing is owed.</summary>
    public long Due => bytesPerSecond == 0 || _since > long.MaxValue - period ? long.MaxValue : _since + period;

    /// <summary>Counts bytes that just moved while more are owed.</summary>
    public void OnOwed(long now, long bytes)
    {
        if (_since == long.MaxValue) (_since, _bytes) = (now, 0); // bytes from before anything was owed do not count
        else _bytes += bytes;
    }

    /// <summary>Nothing is owed anymore.</summary>
    public void Clear() => _since = long.MaxValue;

    /// <summary>Ends a period at <see cref="Due"/>: true if the rate was too low. Otherwise the next period begins.</summary>
    public bool IsTooSlow(long now)
    {
        if (now < Due) return false;
        if (_bytes < (now - _since) / 1_000_000.0 * bytesPerSecond) return true;
        (_since, _bytes) = (now, 0);
        return false;
    }
}
