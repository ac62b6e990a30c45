namespace Mux.Tool.Chaos;

/// <summary>Which connections have which faults, and when. Immutable.</summary>
internal sealed record ChaosPlan
{
    /// <summary>No faults.</summary>
    public static readonly ChaosPlan Calm = new();

    /// <summary>Faults of the bytes from clients to the server.</summary>
    public ChaosFaults Upstream { get; init; } = ChaosFaults.None;

    /// <summary>Faults of the bytes from the server to clients.</summary>
    public ChaosFaults Downstream { get; init; } = ChaosFaults.None;

    /// <summary>Share of the connections that have the faults, from 0 to 1. Which ones, the seed decides.</summary>
    public double Share { get; init; } = 1;

    public ChaosWindow Window { get; init; }

    /// <summary>Faults in both directions.</summary>
    public static ChaosPlan Both(ChaosFaults faults) => new() { Upstream = faults, Downstream = faults };

    public ChaosFaults Of(ChaosWay way) => way == ChaosWay.Upstream ? Upstream : Downstream;
}
