using Mux.Tool.Serving;

namespace Mux.Tool.Load;

/// <summary>What <see cref="Lanes"/> connect to, and how.</summary>
/// <param name="Target">The server, or several.</param>
/// <param name="Links">Options of the connections.</param>
internal sealed record LanePlan(TargetAddress Target, LinkOptions Links)
{
    public int Connections { get; init; } = 1;

    /// <summary>Deadline of each call; null for none.</summary>
    public TimeSpan? Deadline { get; init; }

    /// <summary>True if connections are replaced under load: their calls have to end before they do.</summary>
    public bool IsChurned { get; init; }

    /// <summary>Counts the calls by endpoint; null for one endpoint.</summary>
    public EndpointTally? Tally { get; init; }
}
