namespace Mux.Tool.Load;

/// <inheritdoc/>
/// <param name="first">The first channel of the connection.</param>
internal sealed class ReplaceableProxy<TService>(MuxChannel first) : LaneService
    where TService : class
{
    private volatile TService _current = first.CreateProxy<TService>();

    /// <summary>The proxy for the next call.</summary>
    public TService Current => _current;

    public override void MoveTo(MuxChannel channel) => _current = channel.CreateProxy<TService>();
}
