using Mux.Tool.Load;

namespace Mux.Tool.Reporting.Results;

/// <summary>The result for programs, schema mux.bench/1: README.md lists every field. Names on the file are those here in snake case.</summary>
/// <param name="Schema">mux.bench/1.</param>
/// <param name="Environment">What it ran on.</param>
/// <param name="Configuration">What was asked for.</param>
/// <param name="Results">Of the run; of several, of the one with the median rate.</param>
/// <param name="Ci">The figures that a pipeline compares; of several runs, the medians.</param>
/// <param name="Runs">Every run; null if there was one.</param>
/// <param name="Spread">How far the runs lie apart; null if there was one.</param>
internal sealed record ResultFile(
    string Schema,
    EnvironmentSection Environment,
    ConfigurationSection Configuration,
    ResultsSection Results,
    CiSection Ci,
    IReadOnlyList<RunEntry>? Runs,
    IReadOnlyDictionary<string, SpreadEntry>? Spread)
{
    public const string CurrentSchema = "mux.bench/1";

    public static ResultFile Of(BenchRuns runs)
    {
        var median = runs.Median;
        var entries = runs.Select(run => new RunEntry(CiSection.Of(run), ResultsSection.Of(run))).ToArray();
        return new(
            CurrentSchema,
            new EnvironmentSection(median.ClientEnvironment, median.ServerEnvironment),
            ConfigurationSection.Of(median, runs.Count),
            ResultsSection.Of(median),
            CiSection.Median(entries.Select(entry => entry.Ci)),
            entries.Length == 1 ? null : entries,
            entries.Length == 1 ? null : SpreadEntry.Of([.. entries.Select(entry => entry.Ci)]));
    }
}
