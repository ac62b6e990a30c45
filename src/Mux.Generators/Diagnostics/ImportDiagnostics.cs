using Microsoft.CodeAnalysis;

namespace Mux.Generators.Diagnostics;

/// <summary>Mistakes in .proto files from which a project makes types. See <see cref="MuxDiagnostics"/>.</summary>
internal static class ImportDiagnostics
{
    public static readonly DiagnosticDescriptor Unreadable = new(
        "MUX0089",
        "An imported .proto file must be valid",
        "'{0}' cannot be imported: {1}",
        MuxDiagnostics.Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: MuxDiagnostics.HelpBase + "MUX0089.md");

    public static readonly DiagnosticDescriptor Service = new(
        "MUX0090",
        "An imported service must be one that Mux can call",
        "The service '{0}' is not imported: {1}",
        MuxDiagnostics.Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: MuxDiagnostics.HelpBase + "MUX0090.md");

    public static readonly DiagnosticDescriptor Name = new(
        "MUX0091",
        "Imported files need different names and valid namespaces",
        "'{0}' cannot be imported as it is: {1}",
        MuxDiagnostics.Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: MuxDiagnostics.HelpBase + "MUX0091.md");

    public static readonly DiagnosticDescriptor Extension = new(
        "MUX0092",
        "Extensions of messages are not imported",
        "'{0}': {1}",
        MuxDiagnostics.Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        helpLinkUri: MuxDiagnostics.HelpBase + "MUX0092.md");

    public static readonly DiagnosticDescriptor UnreadPart = new(
        "MUX0093",
        "A part of an imported type adds nothing to its contract",
        "{0} has no effect on '{1}', whose contract is what its .proto file says: {2}",
        MuxDiagnostics.Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: MuxDiagnostics.HelpBase + "MUX0093.md");
}
