namespace Mux.Tool.Load;

/// <inheritdoc/>
/// <param name="first">The first channel of the connection.</param>
/// <param name="create">Creates a proxy of a channel, or what else calls its server.</param>
internal sealed class ReplaceableProxy<TService>(MuxChannel first, Func<MuxChannel, TService> create) : LaneService
    where TService : class
{
    private volatile TService _current = create(first);

    /// <summary>The proxy for the next call.</summary>
    public TService Current => _current;

    public override void MoveTo(MuxChannel channel) => _current = create(channel);
}
