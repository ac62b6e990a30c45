using System.Diagnostics.CodeAnalysis;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace Mux.Generators.Tests.Driver;

/// <summary>Properties of the project that is compiled, as a build shows them to generators.</summary>
internal sealed class ProjectProperties(params (string Name, string Value)[] properties) : AnalyzerConfigOptionsProvider
{
    public override AnalyzerConfigOptions GlobalOptions { get; } = new Options(properties);

    public override AnalyzerConfigOptions GetOptions(SyntaxTree tree) => GlobalOptions;

    public override AnalyzerConfigOptions GetOptions(AdditionalText textFile) => GlobalOptions;

    private sealed class Options((string Name, string Value)[] properties) : AnalyzerConfigOptions
    {
        public override bool TryGetValue(string key, [NotNullWhen(true)] out string? value)
        {
            value = Array.Find(properties, property => key == "build_property." + property.Name).Value;
            return value is not null;
        }
    }
}
