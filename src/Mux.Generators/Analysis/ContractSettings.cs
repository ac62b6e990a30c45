using Microsoft.CodeAnalysis.Diagnostics;
using Mux.Description.Proto.Comparing;

namespace Mux.Generators.Analysis;

/// <summary>What a project says about the check of its contracts.</summary>
/// <param name="IsOn">False where the contracts are built only to be recorded.</param>
/// <param name="Level">What a change may not break.</param>
/// <param name="IsIntegration">True where the build is the last one before others get the contracts: they must be recorded by then.</param>
internal sealed record ContractSettings(bool IsOn, ContractLevel Level, bool IsIntegration)
{
    private const string Check = "build_property.MuxContractCheck";
    private const string LevelName = "build_property.MuxContractLevel";
    private const string Integration = "build_property.ContinuousIntegrationBuild";

    public static ContractSettings Read(AnalyzerConfigOptions options) => new(
        !Is(options, Check, "false"), Is(options, LevelName, "json") ? ContractLevel.Json : ContractLevel.Wire, Is(options, Integration, "true"));

    private static bool Is(AnalyzerConfigOptions options, string property, string expected) =>
        options.TryGetValue(property, out var value) && string.Equals(value, expected, StringComparison.OrdinalIgnoreCase);
}
