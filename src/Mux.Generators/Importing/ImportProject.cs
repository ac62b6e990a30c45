using Microsoft.CodeAnalysis.Diagnostics;

namespace Mux.Generators.Importing;

/// <summary>What the import of files depends on besides the files.</summary>
/// <param name="Assembly">Name of the assembly.</param>
/// <param name="Folder">Folder of the project; null if the build does not say it.</param>
/// <param name="RootNamespace">Namespace of types of files without a package.</param>
internal sealed record ImportProject(string Assembly, string? Folder, string? RootNamespace)
{
    public static ImportProject Of(string? assembly, AnalyzerConfigOptions options) =>
        new(assembly ?? "Assembly", Get(options, "ProjectDir"), Get(options, "RootNamespace"));

    private static string? Get(AnalyzerConfigOptions options, string name) =>
        options.TryGetValue("build_property." + name, out var value) && value.Length > 0 ? value : null;
}
