using Mux.Connections;

namespace Mux.Channels;

/// <summary>A connection of a pool and what the pool remembers of it. Guarded by the pool's lock.</summary>
internal sealed class PooledConnection(Connection connection, PoolSlot slot)
{
    public Connection Connection { get; } = connection;

    public PoolSlot Slot { get; } = slot;

    /// <summary>Completes with null when the connection is open, or with how it ended before.</summary>
    public TaskCompletionSource<ConnectionEnd?> Opened { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Starts the connection when the time between dials is over.</summary>
    public ITimer? DialTimer { get; set; }

    public bool IsStarted { get; set; }

    /// <summary>Whether a disposal of the channel waits for its release.</summary>
    public bool IsAwaited { get; set; } = true;

    /// <summary>When it was opened, or <see cref="Clock.Never"/>.</summary>
    public long OpenedAt { get; set; } = Clock.Never;
}
