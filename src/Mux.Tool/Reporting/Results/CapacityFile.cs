using Mux.Tool.Capacity;

namespace Mux.Tool.Reporting.Results;

/// <summary>A search for programs, schema mux.capacity/1: README.md lists every field.</summary>
/// <param name="Schema">mux.capacity/1.</param>
/// <param name="Environment">What it ran on.</param>
/// <param name="Configuration">What was called.</param>
/// <param name="Search">What was searched for.</param>
/// <param name="Answer">What it came to.</param>
/// <param name="Steps">Every rate that was tried, in their order.</param>
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
        new EnvironmentSection(result.Probe.ClientEnvironment, result.Probe.ServerEnvironment),
        ConfigurationSection.Of(result.Probe, result.Runs.Count),
        new SearchSection(result.Objectives.ToString(), result.Precision, result.Step.TotalSeconds, Math.Round(result.Probe.Rate, 1)),
        new AnswerSection(
            Math.Round(result.Answer.Rate, 1),
            result.Answer.IsAtLeast,
            result.Answer.IsAtLeast ? result.Answer.AtLeastBecause : null,
            result.Answer.IsConfirmed,
            UsageEntry.Rounded(result.ComputedLimit)),
        [.. result.Answer.Steps.Select(StepEntry.Of)]);
}
