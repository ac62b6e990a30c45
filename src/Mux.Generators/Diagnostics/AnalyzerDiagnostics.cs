using Microsoft.CodeAnalysis;

namespace Mux.Generators.Diagnostics;

/// <summary>Diagnostics of the analyzers: code that compiles and runs but is probably not intended.</summary>
internal static class AnalyzerDiagnostics
{
    private const string HelpBase = MuxDiagnostics.HelpBase;

    private const string Category = MuxDiagnostics.Category;

    public static readonly DiagnosticDescriptor DateKind = new(
        "MUX0047",
        "A date that is sent should be UTC",
        "'{0}' is sent as it is and read as UTC, but {1}",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0047.md");

    public static readonly DiagnosticDescriptor MissingToken = new(
        "MUX0048",
        "A contract method should take a token",
        "Method '{0}' takes no CancellationToken, so a caller cannot cancel its call and a handler does not learn that it was cancelled",
        Category,
        DiagnosticSeverity.Info,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0048.md");

    public static readonly DiagnosticDescriptor BlockedCall = new(
        "MUX0049",
        "A call should be awaited",
        "The call of '{0}' is not awaited: a Task blocks the thread until the call has ended, a ValueTask throws if it has not; await it",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0049.md");

    public static readonly DiagnosticDescriptor Preset = new(
        "MUX0050",
        "A value that is not written must be the value that a reader finds",
        "'{0}' is not written when it is {1}, and a reader then finds {2}; write it always (IsRequired = true), or omit the preset value ([DefaultValue])",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0050.md");

    public static readonly DiagnosticDescriptor ForgottenContract = new(
        "MUX0051",
        "A contract needs its attribute",
        "'{0}' is given to {1} but has no [MuxService(\"name\")], so no code was generated for it; add the attribute",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0051.md");

    public static readonly DiagnosticDescriptor ReservedField = new(
        "MUX0052",
        "A reserved field must not be used",
        "'{0}' uses {1}, which [ProtoReserved] reserves for a removed field; use another, because messages of older peers would be misread",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0052.md");

    public static readonly DiagnosticDescriptor UnnumberedMember = new(
        "MUX0053",
        "A member of a message has no number",
        "'{0}' has no number among members that have one, so it is not sent; number it, or exclude it with {1}",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0053.md");

    public static readonly DiagnosticDescriptor IgnoredField = new(
        "MUX0054",
        "A member cannot be a field and ignored",
        "'{0}' has a number and [ProtoIgnore]; [ProtoIgnore] wins, so it is not sent; remove one of the two",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0054.md");

    public static readonly DiagnosticDescriptor ContradictoryAccess = new(
        "MUX0055",
        "A method or service cannot both require a user and allow anonymous callers",
        "'{0}' has [MuxAuthorize] and [MuxAllowAnonymous], so a server that serves it does not start; remove one of the two",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0055.md");

    public static readonly DiagnosticDescriptor UnreadAccess = new(
        "MUX0056",
        "Authorization belongs on the contract",
        "[{0}] on '{1}' is ignored, so a server refuses the implementation; put [MuxAuthorize] or [MuxAllowAnonymous] on the contract",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0056.md");

    public static readonly DiagnosticDescriptor UnreadKey = new(
        "MUX0063",
        "A key belongs on the contract",
        "[MuxKey] on '{0}' is ignored; put it on the parameter of the contract, or on the property or field of the message",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0063.md");

    public static readonly DiagnosticDescriptor UnreadMethodAttribute = new(
        "MUX0094",
        "Options of a method belong on the contract",
        "[{0}] on '{1}' is ignored; put it on the method of the contract",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0094.md");
}
