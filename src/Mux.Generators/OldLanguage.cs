using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Mux.Generators.Contracts.Models;
using Mux.Generators.Diagnostics;
using Mux.Generators.Importing;
using Mux.Generators.Messages.Models;

namespace Mux.Generators;

/// <summary>
/// Projects whose C# is too old for generated code: nothing is generated for them, and they are told so once.
/// </summary>
internal static class OldLanguage
{
    /// <summary>
    /// Gets the version of a project and the first one that compiles generated code; null if the project's does.
    /// </summary>
    public static IncrementalValueProvider<(string Version, string First)?> Of(
        IncrementalGeneratorInitializationContext context) => context.CompilationProvider.Select(static (compilation, _) => Of(compilation));

    // Spans of later frameworks have enumerators that are ref structs with interfaces, which C# 12 does not enumerate.
    private static (string Version, string First)? Of(Compilation compilation)
    {
        if (compilation is not CSharpCompilation { LanguageVersion: < LanguageVersion.CSharp13 and var version })
            return null;
        var enumerator = compilation.GetTypeByMetadataName("System.ReadOnlySpan`1+Enumerator");
        bool needsInterfaces = enumerator is { Interfaces.IsEmpty: false };
        var first = needsInterfaces ? LanguageVersion.CSharp13 : LanguageVersion.CSharp12;
        return version < first ? (version.ToDisplayString(), first.ToDisplayString()) : null;
    }

    /// <summary>Removes what would be generated for a contract.</summary>
    public static ContractModel Leave(ContractModel contract, (string, string)? version) => version is null ? contract
        : new ContractModel(null, EquatableArray<MessageModel>.Empty, EquatableArray<DiagnosticModel>.Empty)
        {
            Name = contract.Name,
        };

    /// <summary>Removes what would be generated for .proto files.</summary>
    public static ImportModel Leave(ImportModel imported, (string, string)? version) =>
        version is null ? imported : ImportModel.Empty;

    /// <summary>Tells a project with contracts or .proto files that its version is too old.</summary>
    /// <param name="context">The generator.</param>
    /// <param name="own">Contracts of the code.</param>
    /// <param name="imported">What the .proto files would become.</param>
    /// <param name="version">The versions; null if the project's is not too old.</param>
    public static void Report(
        IncrementalGeneratorInitializationContext context, IncrementalValuesProvider<ContractModel> own,
        IncrementalValueProvider<ImportModel> imported, IncrementalValueProvider<(string Version, string First)?> version)
    {
        // Where only the attributes are, contracts have no names and need no code.
        var isUsed = own.Where(static contract => contract.Name.Length > 0).Collect().Combine(imported)
            .Select(static (input, _) => !input.Left.IsEmpty || input.Right.Files.Count > 0);
        context.RegisterSourceOutput(isUsed.Combine(version), static (output, input) =>
        {
            if (input is not { Left: true, Right: var (old, first) }) return;
            output.ReportDiagnostic(Diagnostic.Create(GenerationDiagnostics.OldLanguage, location: null, old, first));
        });
    }
}
