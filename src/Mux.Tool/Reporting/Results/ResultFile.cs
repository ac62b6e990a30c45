using Mux.Tool.Load;

namespace Mux.Tool.Reporting.Results;

/// <summary>The result for programs, schema mux.bench/1: README.md lists every field. Names on the file are those here in snake case.</summary>
internal sealed record ResultFile(string Schema, EnvironmentSection Environment, ConfigurationSection Configuration, ResultsSection Results, CiSection Ci)
{
    public const string CurrentSchema = "mux.bench/1";

    public static ResultFile Of(BenchOutcome outcome) => new(
        CurrentSchema,
        new EnvironmentSection(outcome.ClientEnvironment, outcome.ServerEnvironment),
        ConfigurationSection.Of(outcome),
        ResultsSection.Of(outcome),
        CiSection.Of(outcome));
}
