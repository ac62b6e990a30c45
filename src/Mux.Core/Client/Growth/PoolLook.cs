namespace Mux.Client;

/// <summary>What is seen of the connections to one endpoint at one moment. Times are in microseconds.</summary>
internal readonly record struct PoolLook
{
    /// <summary>The moment.</summary>
    public required long Now { get; init; }

    /// <summary>Number of connections, including those that are lost and not dialed yet.</summary>
    public required int Connections { get; init; }

    /// <summary>True if all of them take calls.</summary>
    public required bool IsWhole { get; init; }

    /// <summary>True if a server asks for fewer calls: they must not reach it by a further connection.</summary>
    public bool IsHeldBack { get; init; }

    /// <summary>True if one is being dialed, or waits for that.</summary>
    public required bool IsDialing { get; init; }

    /// <summary>Number of dials that have failed so far.</summary>
    public long FailedDials { get; init; }

    /// <summary>Number of further connections so far that opened, and ended before they had lasted for a trial.</summary>
    public long FailedTrials { get; init; }

    /// <summary>Bytes sent and received so far. They grow with calls and with items of streams, in both directions.</summary>
    public required long Work { get; init; }

    /// <summary>Number of open calls.</summary>
    public int OpenCalls { get; init; }

    /// <summary>True if a call waits, and each connection has as many open calls as its peer allows at all times, or no windows for a stream.</summary>
    public bool IsAtLimit { get; init; }

    /// <summary>Age of the call that has waited longest to be sent; 0 if none waits.</summary>
    public long OldestWait { get; init; }

    /// <summary>Round trip to the peer; 0 if it was not measured.</summary>
    public long RoundTrip { get; init; }

    /// <summary>Share of the time since the last look in which a link refused bytes: 0 to 1, of the connection with the largest.</summary>
    public double BlockedShare { get; init; }

    /// <summary>Share of looks at the lock of a connection that found it taken: 0 to 1, of the connection with the largest.</summary>
    public double ContendedShare { get; init; }
}
