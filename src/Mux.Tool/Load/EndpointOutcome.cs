using Mux.Tool.Measuring;

namespace Mux.Tool.Load;

/// <summary>Calls of the measured time that ended at one endpoint.</summary>
/// <param name="Address">The endpoint.</param>
/// <param name="Latencies">Latencies of the answered calls, as the channel measures them.</param>
/// <param name="Failed">Number of calls that ended with another status than Ok.</param>
/// <param name="Share">Its share of the answered calls of all endpoints, from 0 to 1.</param>
/// <param name="Unreached">Why no connection to it was open at the end of that time; null if one was.</param>
internal sealed record EndpointOutcome(string Address, LatencyHistogram Latencies, long Failed, double Share, string? Unreached = null)
{
    public long Calls => Latencies.Count;
}
