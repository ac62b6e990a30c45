using Mux.Tool.Load;

namespace Mux.Tool.Reporting.Results;

/// <summary>Result for programs, schema mux.bench/1: README.md lists every field. Names in the file are those here in snake case.</summary>
/// <param name="Schema">mux.bench/1.</param>
/// <param name="Environment">Machines and processes.</param>
/// <param name="Configuration">Configuration of the run.</param>
/// <param name="Results">Results of the run; of several runs, those of the run with the median rate.</param>
/// <param name="Ci">Figures for pipelines to compare; of several runs, the medians.</param>
/// <param name="Runs">All runs; null if there was one.</param>
/// <param name="Spread">Spread of the runs; null if there was one.</param>
/// <param name="Slo">Objectives and their outcome; null if none were given.</param>
internal sealed record ResultFile(
    string Schema,
    EnvironmentSection Environment,
    ConfigurationSection Configuration,
    ResultsSection Results,
    CiSection Ci,
    IReadOnlyList<RunEntry>? Runs,
    IReadOnlyDictionary<string, SpreadEntry>? Spread,
    SloSection? Slo = null)
{
    public const string CurrentSchema = "mux.bench/1";

    public static ResultFile Of(BenchRuns runs)
    {
        var median = runs.Median;
        var entries = runs.Select(run => new RunEntry(CiSection.Of(run), ResultsSection.Of(run))).ToArray();
        return new(
            CurrentSchema,
            EnvironmentSection.Of(median),
            ConfigurationSection.Of(median, runs.Count),
            ResultsSection.Of(median),
            CiSection.Median(entries.Select(entry => entry.Ci)) with { SloMet = runs.Objectives?.IsMet },
            entries.Length == 1 ? null : entries,
            entries.Length == 1 ? null : SpreadEntry.Of([.. entries.Select(entry => entry.Ci)]),
            runs.Objectives is null ? null : SloSection.Of(runs.Objectives));
    }
}
