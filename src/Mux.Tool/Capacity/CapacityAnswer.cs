namespace Mux.Tool.Capacity;

/// <summary>What a search has come to.</summary>
/// <param name="Rate">The highest rate found that holds the objectives; 0 if none does.</param>
/// <param name="IsAtLeast">Whether the capacity may be higher: the generator could not show what lies above.</param>
/// <param name="IsConfirmed">Whether a long run at the rate held, too.</param>
/// <param name="AtLeastBecause">What kept the search from looking further; empty if nothing did.</param>
/// <param name="Steps">Every rate that was tried, in their order.</param>
internal sealed record CapacityAnswer(double Rate, bool IsAtLeast, bool IsConfirmed, string AtLeastBecause, IReadOnlyList<CapacityStep> Steps);
