namespace Mux.Endpoints;

/// <summary>One of a pool's places for a connection. Guarded by the pool's lock, but for <see cref="Current"/>, which may be read without.</summary>
internal sealed class PoolSlot(int index)
{
    /// <summary>A second becomes a quarter of an hour; no server asks for more.</summary>
    public const int MaxKeepAliveFactor = 1024;

    private PooledConnection? _current;

    /// <summary>Which of the pool's places it is, from 0.</summary>
    public int Index => index;

    /// <summary>The connection that calls of this place go to, or null: the next call dials.</summary>
    public PooledConnection? Current
    {
        get => Volatile.Read(ref _current);
        set => Volatile.Write(ref _current, value);
    }

    /// <summary>Whether the server drained its last connection within <see cref="BackoffPolicy.UsefulAfter"/>.</summary>
    public bool WasBrief { get; set; }

    /// <summary>How much longer than the channel's keep-alive time it is here: doubled by each server that finds it asks too often.</summary>
    public int KeepAliveFactor { get; set; } = 1;
}
