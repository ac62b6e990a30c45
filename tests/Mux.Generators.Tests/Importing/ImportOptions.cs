using System.Diagnostics.CodeAnalysis;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace Mux.Generators.Tests.Importing;

/// <summary>What a build tells the generator of MuxProto items: all additional files are such items, unless their metadata say otherwise.</summary>
/// <param name="ofFiles">Metadata of files whose path ends so.</param>
/// <param name="properties">Properties of the project.</param>
internal sealed class ImportOptions((string File, string Name, string Value)[] ofFiles, params (string Name, string Value)[] properties)
    : AnalyzerConfigOptionsProvider
{
    public override AnalyzerConfigOptions GlobalOptions { get; } =
        new Options(properties.ToDictionary(static property => "build_property." + property.Name, static property => property.Value, StringComparer.Ordinal));

    public override AnalyzerConfigOptions GetOptions(SyntaxTree tree) => GlobalOptions;

    public override AnalyzerConfigOptions GetOptions(AdditionalText textFile)
    {
        var metadata = ofFiles.Where(entry => textFile.Path.EndsWith(entry.File, StringComparison.Ordinal))
            .ToDictionary(static entry => "build_metadata.AdditionalFiles." + entry.Name, static entry => entry.Value, StringComparer.Ordinal);
        metadata.TryAdd("build_metadata.AdditionalFiles.MuxImport", "true");
        return new Options(metadata);
    }

    private sealed class Options(Dictionary<string, string> values) : AnalyzerConfigOptions
    {
        public override bool TryGetValue(string key, [NotNullWhen(true)] out string? value) => values.TryGetValue(key, out value);
    }
}
