using Microsoft.CodeAnalysis;

namespace Mux.Generators.Diagnostics;

/// <summary>Mistakes with [MuxCallback]. See <see cref="MuxDiagnostics"/>.</summary>
internal static class CallbackDiagnostics
{
    public static readonly DiagnosticDescriptor Method = new(
        "MUX0064",
        "A method with a callback has no other stream",
        "Method '{0}' takes the callback '{1}', {2}",
        MuxDiagnostics.Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: MuxDiagnostics.HelpBase + "MUX0064.md");

    public static readonly DiagnosticDescriptor Interface = new(
        "MUX0088",
        "A callback must consist of simple methods",
        "'{0}' has [MuxCallback] and {1}",
        MuxDiagnostics.Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: MuxDiagnostics.HelpBase + "MUX0088.md");
}
