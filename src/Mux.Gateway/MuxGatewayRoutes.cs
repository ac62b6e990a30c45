namespace Mux.Gateway;

/// <summary>Maps services to the clients of a host that carry their calls. Used by one thread, while the host is built.</summary>
public sealed class MuxGatewayRoutes
{
    private readonly List<MappedRoute> _routes = [];

    internal MuxGatewayRoutes()
    {
    }

    internal IReadOnlyList<MappedRoute> Routes => _routes;

    /// <summary>Forwards the calls of one service.</summary>
    /// <param name="service">The wire name of the service, such as <c>shop.Orders</c>.</param>
    /// <param name="client">The name of the client, as in <c>AddKeyedMuxClient</c>; null for the client without a name.</param>
    /// <param name="configure">Sets who may call, if the server has <see cref="MuxServerOptions.Identity"/>, and limits.</param>
    /// <returns>This object.</returns>
    /// <exception cref="ArgumentException">The name is empty or ends with an asterisk.</exception>
    public MuxGatewayRoutes Map(string service, string? client = null, Action<MuxRoute>? configure = null)
    {
        ArgumentException.ThrowIfNullOrEmpty(service);
        if (service.Contains('*', StringComparison.Ordinal))
        {
            var prefix = service.Split('*')[0];
            throw new ArgumentException($"'{service}' is not the name of a service: use MapPrefix(\"{prefix}\", ...) for several.", nameof(service));
        }

        _routes.Add(new MappedRoute(service, client, configure));
        return this;
    }

    /// <summary>Forwards the calls of all services whose names begin with a prefix, unless a longer one covers them.</summary>
    /// <param name="prefix">The prefix, such as <c>shop.</c>; empty for all services. Callers choose the names of methods, of which one route forwards 1,024
    /// and a process 4,096 until it restarts, whether or not the services have them, and one connection is the first to call at most 256: map services on
    /// routes of their own, and admit only callers that you trust with that.</param>
    /// <param name="client">The name of the client, as in <c>AddKeyedMuxClient</c>; null for the client without a name.</param>
    /// <param name="configure">Sets who may call, if the server has <see cref="MuxServerOptions.Identity"/>, and limits.</param>
    /// <returns>This object.</returns>
    public MuxGatewayRoutes MapPrefix(string prefix, string? client = null, Action<MuxRoute>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(prefix);
        _routes.Add(new MappedRoute(prefix.EndsWith('*') ? prefix : prefix + '*', client, configure));
        return this;
    }
}
