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
}
