using Microsoft.CodeAnalysis;

namespace Mux.Generators.Diagnostics;

/// <summary>Diagnostics of the generator for methods whose calls run one after the other.</summary>
internal static class OrderDiagnostics
{
    private const string HelpBase = MuxDiagnostics.HelpBase;

    private const string Category = MuxDiagnostics.Category;

    public static readonly DiagnosticDescriptor Order = new(
        "MUX0065",
        "An ordered method needs a key and one request",
        "Method '{0}' has Dispatch = {1}, but {2}",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0065.md");

    public static readonly DiagnosticDescriptor Batch = new(
        "MUX0067",
        "A batched method has one argument and one reply",
        "Method '{0}' has Batched = {1}, but {2}",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0067.md");

    public static readonly DiagnosticDescriptor OrderWithoutDeadline = new(
        "MUX0066",
        "An ordered method should have a deadline",
        "Method '{0}' runs one call after the other and has no TimeoutMilliseconds, so a handler whose own call comes back to it waits for itself without end",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0066.md");
}
