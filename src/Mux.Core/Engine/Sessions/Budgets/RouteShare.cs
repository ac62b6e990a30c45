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
