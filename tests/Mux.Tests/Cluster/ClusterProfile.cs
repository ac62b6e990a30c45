namespace Mux.Tests.Cluster;

/// <summary>What happens to the servers of a simulation.</summary>
internal enum ClusterProfile
{
    /// <summary>They are stopped in order and started again: no call may fail.</summary>
    Drains,

    /// <summary>They also die, and the source also reports nothing: calls may fail, and every verdict must be true.</summary>
    Kills,

    /// <summary>As with kills, and servers also fail calls. Idempotent calls are repeated: within the budget, and no other call runs twice.</summary>
    Retries,
}
