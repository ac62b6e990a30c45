using Microsoft.CodeAnalysis;

namespace Mux.Generators.Diagnostics;

/// <summary>What generated code cannot be made for. See <see cref="MuxDiagnostics"/>.</summary>
internal static class GenerationDiagnostics
{
    public static readonly DiagnosticDescriptor EndlessTypes = new(
        "MUX0095",
        "A message must not contain ever larger types",
        "'{0}' makes '{1}' contain itself with ever larger type arguments, so the code for it would have no end; pass on the type parameter " +
            "as it is, or declare a message that is not generic",
        MuxDiagnostics.Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: MuxDiagnostics.HelpBase + "MUX0095.md");

    public static readonly DiagnosticDescriptor OldLanguage = new(
        "MUX0096",
        "Generated code needs a later C#",
        "The project compiles C# {0}, but what is generated for its contracts needs C# {1}; set <LangVersion>{1}</LangVersion> or a later version, or remove " +
            "the LangVersion, in the project file or Directory.Build.props",
        MuxDiagnostics.Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: MuxDiagnostics.HelpBase + "MUX0096.md");
}
