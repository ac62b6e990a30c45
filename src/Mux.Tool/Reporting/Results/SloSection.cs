using Mux.Tool.Capacity;

namespace Mux.Tool.Reporting.Results;

/// <summary>Objectives of a bench and their outcome.</summary>
/// <param name="Objectives">As given.</param>
/// <param name="Met">True if all are met; false if one is missed; null if there were too few replies to tell.</param>
/// <param name="Outcomes">The outcome of each.</param>
internal sealed record SloSection(string Objectives, bool? Met, IReadOnlyList<SloEntry> Outcomes)
{
    public static SloSection Of(ObjectivesOutcome outcome) => new(
        outcome.Objectives.ToString(), outcome.IsMet,
        [.. outcome.Each.Select(one => new SloEntry(one.Objective, Math.Round(one.Actual, 6), one.Limit, one.IsMet))]);
}
