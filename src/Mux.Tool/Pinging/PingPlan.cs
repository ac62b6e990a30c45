using Mux.Tool.Serving;

namespace Mux.Tool.Pinging;

/// <summary>What <c>mux ping</c> does.</summary>
internal sealed record PingPlan
{
    public required TargetAddress Target { get; init; }

    /// <summary>Pings per endpoint; null until the user ends it.</summary>
    public int? Count { get; init; }

    /// <summary>Time from one ping of an endpoint to the next, unless that one takes longer.</summary>
    public required TimeSpan Interval { get; init; }

    /// <summary>How long a connection and a reply may take, each.</summary>
    public required TimeSpan Timeout { get; init; }

    public LinkOptions Links { get; init; } = new();
}
