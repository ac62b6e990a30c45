namespace Mux.Engine;

/// <summary>The shares that a connection has in the channels of this gateway: one for each channel that its calls have used. Safe for concurrent use.</summary>
internal sealed class RouteShares
{
    private RouteShare? _first; // a list: a client calls services of few channels, mostly of one

    /// <summary>Address of the client; empty if it has none. Set before its first call.</summary>
    public string Host { get; set; } = string.Empty;

    /// <summary>Gets the share in a channel. It is created by the first call.</summary>
    public RouteShare Of(RouteLimit route) => Find(Volatile.Read(ref _first), route) ?? Add(route);

    /// <summary>Ends all shares. The connection is gone, and its calls are over.</summary>
    public void Leave()
    {
        for (var share = Volatile.Read(ref _first); share is not null; share = share.Next) share.Leave();
    }

    private static RouteShare? Find(RouteShare? share, RouteLimit route)
    {
        while (share is not null && share.Route != route) share = share.Next;
        return share;
    }

    private RouteShare Add(RouteLimit route)
    {
        while (true)
        {
            var first = Volatile.Read(ref _first);
            if (Find(first, route) is { } known) return known; // another thread was faster
            var added = route.Join(Host, first);
            if (Interlocked.CompareExchange(ref _first, added, first) == first) return added;
            added.Leave();
        }
    }
}
