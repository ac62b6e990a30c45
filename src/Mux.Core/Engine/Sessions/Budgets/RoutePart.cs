using Mux.Runtime;

namespace Mux.Engine;

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
