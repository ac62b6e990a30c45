namespace Mux.Tool.Reporting.Results;

/// <param name="Rate">Highest rate found that meets the objectives, in calls per second; 0 if there is none.</param>
/// <param name="AtLeast">True if the capacity may be higher.</param>
/// <param name="AtLeastBecause">Reason why that is unknown; null if it is known.</param>
/// <param name="Confirmed">True if a long run at the rate met the objectives as well.</param>
/// <param name="ComputedRate">Maximum rate of handlers with a known cost, computed from the time they really took; null if there is none.</param>
/// <param name="LimitedByGenerator">True if the search ended because the generator did not make the calls in time.</param>
internal sealed record AnswerSection(
    double Rate, bool AtLeast, string? AtLeastBecause, bool Confirmed, double? ComputedRate, bool LimitedByGenerator = false);
