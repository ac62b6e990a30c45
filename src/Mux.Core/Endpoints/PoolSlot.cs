namespace Mux.Channels;

/// <summary>One of a pool's places for a connection. Guarded by the pool's lock, but for <see cref="Current"/>, which may be read without.</summary>
internal sealed class PoolSlot(BackoffPolicy backoff)
{
    /// <summary>A second becomes a quarter of an hour; no server asks for more.</summary>
    public const int MaxKeepAliveFactor = 1024;

    private PooledConnection? _current;

    /// <summary>The connection that calls of this place go to, or null: the next call dials.</summary>
    public PooledConnection? Current
    {
        get => Volatile.Read(ref _current);
        set => Volatile.Write(ref _current, value);
    }

    /// <summary>How much longer than the channel's keep-alive time it is here: doubled by each server that finds it asks too often.</summary>
    public int KeepAliveFactor { get; set; } = 1;

    public BackoffPolicy Backoff { get; } = backoff;

    /// <summary>The next dial comes no earlier.</summary>
    public long NextDialAt { get; set; }
}
