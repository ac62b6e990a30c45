namespace Mux.Client;

/// <summary>The checked options of balancing, in the engine's units. Times are microseconds.</summary>
internal sealed record BalancingSettings
{
    /// <summary>The settings of a channel whose options say nothing.</summary>
    public static readonly BalancingSettings Default = new();

    /// <summary>True if the endpoints take turns instead of being compared.</summary>
    public bool IsRoundRobin { get; init; }

    /// <summary>The zone of this process, or null: then all endpoints count as near.</summary>
    public string? Zone { get; init; }

    /// <summary>Factor on the score of endpoints in other zones.</summary>
    public double ZoneFactor { get; init; } = 1.5;

    /// <summary>Time in which an endpoint that has opened or returned comes to its full share. 0: at once.</summary>
    public long SlowStart { get; init; } = 500_000;

    /// <summary>Number of endpoints of which a client uses no more if there are over twice as many. 0: it uses all.</summary>
    public int SubsetSize { get; init; } = 20;

    /// <summary>True if endpoints that fail many calls are left out for a time.</summary>
    public bool Ejects { get; init; } = true;

    /// <summary>How long an endpoint is left out the first time.</summary>
    public long EjectionTime { get; init; } = 5_000_000;

    /// <summary>How long it is left out at most.</summary>
    public long MaxEjectionTime { get; init; } = 300_000_000;
}
