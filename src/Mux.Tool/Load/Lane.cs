namespace Mux.Tool.Load;

/// <summary>A connection of a run, with a channel of its own, which may be replaced by another. Thread-safe.</summary>
internal sealed class Lane(MuxChannel first)
{
    private readonly Lock _gate = new(); // guards the services, and that they move with the channel
    private readonly List<LaneService> _services = [];
    private volatile MuxChannel _channel = first;

    public MuxChannel Channel => _channel;

    /// <summary>Creates a proxy that follows the channel.</summary>
    public ReplaceableProxy<TService> CreateService<TService>()
        where TService : class => CreateService(static channel => channel.CreateProxy<TService>());

    /// <summary>Creates what calls a service otherwise than by a proxy, and follows the channel too.</summary>
    public ReplaceableProxy<TService> CreateService<TService>(Func<MuxChannel, TService> create)
        where TService : class
    {
        lock (_gate)
        {
            var service = new ReplaceableProxy<TService>(_channel, create);
            _services.Add(service);
            return service;
        }
    }

    /// <summary>Makes further calls go to another channel.</summary>
    /// <returns>The channel before; its calls are still open.</returns>
    public MuxChannel MoveTo(MuxChannel next)
    {
        lock (_gate)
        {
            var before = _channel;
            _channel = next;
            foreach (var service in _services) service.MoveTo(next);
            return before;
        }
    }
}
