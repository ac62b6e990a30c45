using Mux.Tool.Load;

namespace Mux.Tool.Reporting.Results;

/// <param name="Address">The endpoint.</param>
/// <param name="Calls">Calls that it answered.</param>
/// <param name="Share">Its share of the answered calls of all endpoints, from 0 to 1.</param>
/// <param name="Failed">Calls that ended there with another status than Ok.</param>
/// <param name="LatencyUs">Latencies of the answered calls, as the channel measures them.</param>
/// <param name="NotReached">Why no connection to it was open at the end; null if one was.</param>
internal sealed record EndpointEntry(string Address, long Calls, double Share, long Failed, LatencyEntry LatencyUs, string? NotReached)
{
    public static EndpointEntry Of(EndpointOutcome endpoint) =>
        new(endpoint.Address, endpoint.Calls, Math.Round(endpoint.Share, 4), endpoint.Failed, LatencyEntry.Of(endpoint.Latencies), endpoint.Unreached);
}
