using Mux.Runtime;

namespace Mux.Engine;

/// <summary>The share that one client's connection has of what a gateway has open in one channel. Safe for concurrent use.</summary>
/// <param name="route">What is shared.</param>
/// <param name="calls">The calls of the connection.</param>
/// <param name="requestStreams">Those among them that have a request stream.</param>
/// <param name="next">The next share of the same connection, in another channel.</param>
internal sealed class RouteShare(RouteLimit route, RoutePart calls, RoutePart requestStreams, RouteShare? next)
{
    public RouteLimit Route => route;

    public RouteShare? Next => next;

    /// <summary>Takes the places of a call, which <see cref="Release"/> returns.</summary>
    /// <param name="hasRequestStream">True if it has a request stream.</param>
    /// <param name="clock">The clock of the connection.</param>
    /// <returns>The message of the refusal; null if the places are taken.</returns>
    public string? TryTake(bool hasRequestStream, Clock clock)
    {
        if (!calls.TryTake(clock)) return Describe(route.Calls, "calls", "MaxCalls");
        if (!hasRequestStream || requestStreams.TryTake(clock)) return null;
        calls.Release();
        return Describe(route.RequestStreams, "calls with a request stream", "MaxRequestStreams");
    }

    public void Release(bool hasRequestStream)
    {
        if (hasRequestStream) requestStreams.Release();
        calls.Release();
    }

    /// <summary>Returns all grants. The connection is gone, and its calls are over.</summary>
    public void Leave()
    {
        calls.Leave();
        requestStreams.Leave();
    }

    private static string Describe(long limit, string what, string option) =>
        $"The client's connection to the gateway has used up its share of the {limit} {what} that the gateway has open at once for this route " +
        $"({option} of the route).";
}

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

/// <summary>Counts the open calls of one kind that a client's connection has in a channel of the gateway. Safe for concurrent use.</summary>
internal sealed class RoutePart : ICountsRequests
{
    private readonly RouteLimit _route;
    private readonly HandlerShare _share;
    private int _open;

    public RoutePart(RouteLimit route, HandlerLimit limit, string host) => (_route, _share) = (route, limit.Join(this, host)!); // it is never unbounded

    /// <inheritdoc/>
    public int RunningCount => Volatile.Read(ref _open);

    /// <summary>Takes a place if the connection may have one more.</summary>
    public bool TryTake(Clock clock)
    {
        int open = Interlocked.Increment(ref _open);
        if (open <= _share.Granted || TryGrow(open, clock)) return true;
        Release();
        return false;
    }

    public void Release() => Interlocked.Decrement(ref _open);

    public void Leave() => _share.Leave();

    private bool TryGrow(int open, Clock clock)
    {
        _route.Follow();
        return _share.TryResume(open, clock.Now);
    }
}
