namespace Mux.Sessions.Budgets;

/// <summary>
/// Whether bytes that are owed come fast enough, on the average of a period: a peer that gives one byte now and then makes progress, and would else hold what
/// waits for it for ever. Guarded by whoever owns it.
/// </summary>
/// <param name="bytesPerSecond">0 for none.</param>
/// <param name="period">Microseconds.</param>
internal sealed class ByteRate(long bytesPerSecond, long period)
{
    private long _since = long.MaxValue;
    private long _bytes;

    /// <summary>When to look at <see cref="IsTooSlow"/>; <see cref="long.MaxValue"/> while nothing is owed.</summary>
    public long Due => bytesPerSecond == 0 || _since > long.MaxValue - period ? long.MaxValue : _since + period;

    /// <summary>Bytes are owed, and so many came just now.</summary>
    public void OnOwed(long now, long bytes)
    {
        if (_since == long.MaxValue) (_since, _bytes) = (now, 0); // what came before anything was owed does not count
        else _bytes += bytes;
    }

    /// <summary>Nothing is owed any more.</summary>
    public void Clear() => _since = long.MaxValue;

    /// <summary>At <see cref="Due"/>: whether it was less than it should. If not, another period begins.</summary>
    public bool IsTooSlow(long now)
    {
        if (now < Due) return false;
        if (_bytes < (now - _since) / 1_000_000.0 * bytesPerSecond) return true;
        (_since, _bytes) = (now, 0);
        return false;
    }
}
