using Mux.Tool.Serving;

namespace Mux.Tool.Load;

/// <summary>What <see cref="Lanes"/> connect to, and how.</summary>
/// <param name="Target">The server, or several.</param>
/// <param name="Links">Options of the connections.</param>
internal sealed record LanePlan(TargetAddress Target, LinkOptions Links)
{
    public int Connections { get; init; } = 1;

    /// <summary>How long a call may take; null for no limit.</summary>
    public TimeSpan? TimeLimit { get; init; }

    /// <summary>True if calls end before their requests are sent: closing a connection then waits for its queue.</summary>
    public bool IsOneWay { get; init; }

    /// <summary>True if connections are replaced under load: their calls have to end before they do.</summary>
    public bool IsChurned { get; init; }

    /// <summary>Counts the calls by endpoint; null for one endpoint.</summary>
    public EndpointTally? Tally { get; init; }
}
