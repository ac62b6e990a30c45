namespace Mux.Engine;

/// <summary>
/// Limits the calls of a gateway's clients at the servers of one channel. To a server the connections of a gateway are one peer: it refuses all clients once
/// they have what it lets one peer have. This limit is below that, and each client leaves room for others (<see cref="HandlerLimit"/>), so a client that takes
/// all it can get is refused here, alone. Safe for concurrent use.
/// </summary>
/// <param name="calls">Calls at each server.</param>
/// <param name="requestStreams">Those among them that have a request stream, each of which takes a window of the server.</param>
/// <param name="servers">Gets the number of servers at present; at least 1.</param>
internal sealed class RouteLimit(int calls, int requestStreams, Func<int> servers)
{
    private readonly HandlerLimit _calls = new(calls, static _ => { });
    private readonly HandlerLimit _requestStreams = new(requestStreams, static _ => { });
    private int _callsOfServer = calls, _requestStreamsOfServer = requestStreams; // written before the server starts

    /// <summary>Calls at all servers at present.</summary>
    public long Calls => _calls.Limit;

    /// <summary>Calls with a request stream at all servers at present.</summary>
    public long RequestStreams => _requestStreams.Limit;

    /// <summary>Takes the lower limits of another route to the same servers. Before the server starts.</summary>
    public void Lower(RouteLimit other)
    {
        _callsOfServer = Math.Min(_callsOfServer, other._callsOfServer);
        _requestStreamsOfServer = Math.Min(_requestStreamsOfServer, other._requestStreamsOfServer);
        Follow();
    }

    /// <summary>Follows the number of servers. Called when a share grows, which few calls cause.</summary>
    public void Follow()
    {
        long count = servers();
        _calls.Limit = count * _callsOfServer;
        _requestStreams.Limit = count * _requestStreamsOfServer;
    }

    /// <summary>Creates the share of a client's connection, which ends with <see cref="RouteShare.Leave"/>.</summary>
    /// <param name="host">Address of the client; empty if it has none.</param>
    /// <param name="next">The other shares of the connection.</param>
    public RouteShare Join(string host, RouteShare? next) =>
        new(this, new RoutePart(this, _calls, host), new RoutePart(this, _requestStreams, host), next);
}
