namespace Mux.Tool.Reporting.Results;

/// <param name="Rate">The highest rate found that holds, in calls per second; 0 if none does.</param>
/// <param name="AtLeast">Whether the capacity may be higher.</param>
/// <param name="AtLeastBecause">Why it is not known; null if it is.</param>
/// <param name="Confirmed">Whether a long run at the rate held, too.</param>
/// <param name="ComputedRate">What handlers of known cost can do at most, by what they really took; null without such.</param>
internal sealed record AnswerSection(double Rate, bool AtLeast, string? AtLeastBecause, bool Confirmed, double? ComputedRate);
