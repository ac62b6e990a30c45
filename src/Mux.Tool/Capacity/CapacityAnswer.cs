namespace Mux.Tool.Capacity;

/// <summary>Result of a search.</summary>
/// <param name="Rate">Highest rate found that meets the objectives; 0 if there is none.</param>
/// <param name="IsAtLeast">True if the capacity may be higher, because the generator could not test higher rates.</param>
/// <param name="IsConfirmed">True if a long run at the rate met the objectives as well.</param>
/// <param name="AtLeastBecause">Reason why the search did not go higher; empty if there is none.</param>
/// <param name="Steps">All rates that were tried, in order.</param>
internal sealed record CapacityAnswer(double Rate, bool IsAtLeast, bool IsConfirmed, string AtLeastBecause, IReadOnlyList<CapacityStep> Steps)
{
    /// <summary>True if the search ended because the generator did not make the calls in time: the server may do more.</summary>
    public bool IsLimitedByGenerator { get; init; }
}
