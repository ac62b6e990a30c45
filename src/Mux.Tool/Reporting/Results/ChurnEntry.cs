using Mux.Tool.Load;

namespace Mux.Tool.Reporting.Results;

/// <param name="TargetRate">Requested connections per second.</param>
/// <param name="Connects">Connections that took the place of another.</param>
/// <param name="Rate">Their number per second.</param>
/// <param name="Errors">Connections that could not be opened.</param>
/// <param name="LastFailure">Why the last of them could not; null if all could.</param>
/// <param name="LatencyUs">Times from dialing until calls could be made.</param>
internal sealed record ChurnEntry(double TargetRate, long Connects, double Rate, long Errors, string? LastFailure, LatencyEntry LatencyUs)
{
    public static ChurnEntry Of(ChurnOutcome churn) =>
        new(churn.TargetRate, churn.Connects, Math.Round(churn.Rate, 3), churn.Errors, churn.LastFailure, LatencyEntry.Of(churn.Latencies));
}
