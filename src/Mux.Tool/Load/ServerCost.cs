using Mux.Tool.Measuring;
using Mux.Tool.Reporting;
using Mux.Tool.Serving;

namespace Mux.Tool.Load;

/// <summary>What the measured calls have cost the server. A gateway asks any of the servers behind it, and spreads the calls over all.</summary>
/// <param name="Usage">The usage of the server; null if it is not known.</param>
/// <param name="Unknown">Why it is not known; null if it is, or if the server reports nothing.</param>
internal sealed record ServerCost(ProcessUsage? Usage, string? Unknown)
{
    /// <summary>Calls that failed before they reached a server, and those open at either reading, are few: a second server takes more.</summary>
    private const double LeastShare = 0.9;

    private static readonly ServerCost s_none = new(null, null);

    /// <summary>Compares two readings.</summary>
    /// <param name="before">Before the first measured call; null if the server reports nothing.</param>
    /// <param name="after">After the last.</param>
    /// <param name="calls">Calls that ended at the client in between.</param>
    public static ServerCost Of(ServerReport? before, ServerReport? after, long calls)
    {
        if (before is null || after is null) return s_none;
        if (before.Instance != after.Instance) return new(null, "two servers have answered: is this a gateway?");
        long answered = after.CallsCompleted - before.CallsCompleted;
        return answered >= LeastShare * calls ? new(after.ToUsage().Since(before.ToUsage()), null)
            : new(null, $"the server that reports answered {Quantity.Count(answered)} of {Quantity.Count(calls)}");
    }
}
