namespace Mux.Server;

/// <summary>
/// Limits the names that clients can make a process keep: each forwarded method has a descriptor and rows in tables, which are never released. Safe for
/// concurrent use.
/// </summary>
internal sealed class ForwardedNames(int limit)
{
    /// <summary>Forwarded methods of a process: some tens of services with a hundred methods each.</summary>
    public const int LimitOfProcess = 4096;

    /// <summary>Forwarded methods of one route: ten services with a hundred methods each.</summary>
    public const int LimitOfRoute = 1024;

    /// <summary>Forwarded methods that one connection is the first to call: it cannot take all places of a route.</summary>
    public const int LimitOfConnection = 256;

    private int _count;

    /// <summary>The names of all gateways of this process.</summary>
    public static ForwardedNames OfProcess { get; } = new(LimitOfProcess);

    public int Limit => limit;

    /// <summary>Takes a place for one more name.</summary>
    /// <returns>False if there is none.</returns>
    public bool TryTake()
    {
        if (Interlocked.Increment(ref _count) <= limit) return true;
        Interlocked.Decrement(ref _count);
        return false;
    }
}
