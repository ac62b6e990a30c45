using Mux.Tool.Capacity;

namespace Mux.Tool.Reporting.Results;

/// <summary>Result of <c>mux capacity</c> for programs, schema mux.capacity/1: README.md lists every field.</summary>
/// <param name="Schema">mux.capacity/1.</param>
/// <param name="Environment">Machines and processes.</param>
/// <param name="Configuration">Configuration of the calls.</param>
/// <param name="Search">Parameters of the search.</param>
/// <param name="Answer">The answer.</param>
/// <param name="Steps">All rates that were tried, in order.</param>
internal sealed record CapacityFile(
    string Schema,
    EnvironmentSection Environment,
    ConfigurationSection Configuration,
    SearchSection Search,
    AnswerSection Answer,
    IReadOnlyList<StepEntry> Steps)
{
    public const string CurrentSchema = "mux.capacity/1";

    public static CapacityFile Of(CapacityResult result) => new(
        CurrentSchema,
        EnvironmentSection.Of(result.Probe),
        ConfigurationSection.Of(result.Probe, result.Runs.Count),
        new SearchSection(
            result.Search.Objectives.ToString(), result.Search.Precision, result.Search.Step.TotalSeconds, Math.Round(result.Probe.Rate, 1),
            result.Search.MaxLag?.TotalMicroseconds),
        new AnswerSection(
            Math.Round(result.Answer.Rate, 1),
            result.Answer.IsAtLeast,
            result.Answer.IsAtLeast ? result.Answer.AtLeastBecause : null,
            result.Answer.IsConfirmed,
            UsageEntry.Rounded(result.ComputedLimit),
            result.Answer.IsLimitedByGenerator),
        [.. result.Answer.Steps.Select(StepEntry.Of)]);
}
