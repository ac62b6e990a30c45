namespace Mux.Connections;

/// <summary>What all streams of a connection together may make this side hold: the windows it has granted. Guarded by the connection's lock.</summary>
internal sealed class StreamBudget(long limit)
{
    /// <summary>Granted now.</summary>
    public long Used { get; private set; }

    public long Limit => limit;

    /// <summary>Takes all that is asked for, or nothing: the window a stream begins with.</summary>
    public bool TryReserveLocked(long size)
    {
        if (Used + size > limit) return false;
        Used += size;
        return true;
    }

    /// <summary>Takes what there is, up to what is asked for.</summary>
    public long TakeLocked(long wanted)
    {
        long taken = Math.Clamp(wanted, 0, Math.Max(0, limit - Used));
        Used += taken;
        return taken;
    }

    public void ReleaseLocked(long size) => Used -= size;
}
