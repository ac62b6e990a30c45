namespace Mux.Client;

/// <summary>A slot of a pool for one connection. Guarded by the pool's lock, except <see cref="Current"/>, which may be read without it.</summary>
internal sealed class PoolSlot(int index)
{
    /// <summary>Turns a second into a quarter of an hour; no server asks for more.</summary>
    public const int MaxKeepAliveFactor = 1024;

    private PooledConnection? _current;

    /// <summary>Tells the slot from others of the pool, also from earlier ones.</summary>
    public int Index => index;

    /// <summary>The connection for calls of this slot, or null: the next call dials.</summary>
    public PooledConnection? Current
    {
        get => Volatile.Read(ref _current);
        set => Volatile.Write(ref _current, value);
    }

    /// <summary>True while it is one more than the pool had, and none of its connections has lasted: the others serve, so a dial in vain is no fault.</summary>
    public bool IsTrial { get; set; }

    /// <summary>A connection of the slot that was open has ended.</summary>
    /// <returns>True if it was on trial, and lasted for less than a trial: as if the dial had failed.</returns>
    public bool EndTrial(long openedAt, long now)
    {
        if (now - openedAt >= PoolGrowth.TrialTime) IsTrial = false;
        return IsTrial;
    }

    /// <summary>True if the server drained the last connection within <see cref="BackoffPolicy.UsefulAfter"/>.</summary>
    public bool WasBrief { get; set; }

    /// <summary>Multiplies the channel's keep-alive time. Doubled each time a server rejects the PINGs as too frequent.</summary>
    public int KeepAliveFactor { get; set; } = 1;

    /// <summary>Counts the calls that have ended on the connections that have slots. Any thread; asked ten times a second for each endpoint.</summary>
    public static long CountCompleted(PoolSlot[] slots)
    {
        long completed = 0;
        foreach (var slot in slots) completed += slot.Current?.Completed ?? 0;
        return completed;
    }
}
