using Microsoft.CodeAnalysis;

namespace Mux.Generators.Diagnostics;

/// <summary>Diagnostics of the check of contracts against the files that record them.</summary>
internal static class ContractDiagnostics
{
    private const string HelpBase = MuxDiagnostics.HelpBase;

    private const string Category = MuxDiagnostics.Category;

    private const int First = 70;

    private const string Change = "'{0}' {1}; {2}";

    public static readonly DiagnosticDescriptor Gone = new(
        "MUX0070",
        "A recorded service or method must stay",
        Change,
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0070.md");

    public static readonly DiagnosticDescriptor Shape = new(
        "MUX0071",
        "A recorded method keeps its streams",
        Change,
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0071.md");

    public static readonly DiagnosticDescriptor Body = new(
        "MUX0072",
        "A recorded method keeps its arguments",
        Change,
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0072.md");

    public static readonly DiagnosticDescriptor FieldGone = new(
        "MUX0073",
        "A removed field leaves its number reserved",
        Change,
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0073.md");

    public static readonly DiagnosticDescriptor FieldReplaced = new(
        "MUX0074",
        "A field number belongs to one field",
        Change,
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0074.md");

    public static readonly DiagnosticDescriptor WireType = new(
        "MUX0075",
        "A recorded field keeps its wire type",
        Change,
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0075.md");

    public static readonly DiagnosticDescriptor Values = new(
        "MUX0076",
        "A recorded field keeps its values",
        Change,
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0076.md");

    public static readonly DiagnosticDescriptor Cardinality = new(
        "MUX0077",
        "A single value, a list and a map are not the same",
        Change,
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0077.md");

    public static readonly DiagnosticDescriptor Presence = new(
        "MUX0078",
        "An absent field should keep its meaning",
        Change,
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0078.md");

    public static readonly DiagnosticDescriptor EnumValue = new(
        "MUX0079",
        "A recorded value of an enum keeps its number",
        Change,
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0079.md");

    public static readonly DiagnosticDescriptor Include = new(
        "MUX0080",
        "A derived class keeps its number",
        Change,
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0080.md");

    public static readonly DiagnosticDescriptor Detail = new(
        "MUX0081",
        "A recorded error keeps its number",
        Change,
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0081.md");

    public static readonly DiagnosticDescriptor Format = new(
        "MUX0082",
        "A recorded method keeps its serializer",
        Change,
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0082.md");

    public static readonly DiagnosticDescriptor Promise = new(
        "MUX0083",
        "A promise of a method should be kept",
        Change,
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0083.md");

    public static readonly DiagnosticDescriptor Access = new(
        "MUX0084",
        "Authorization should change only on purpose",
        Change,
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0084.md");

    public static readonly DiagnosticDescriptor JsonName = new(
        "MUX0085",
        "A recorded name in JSON must stay",
        Change,
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0085.md");

    public static readonly DiagnosticDescriptor Behind = new(
        "MUX0086",
        "Contract files must be up to date",
        Change,
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0086.md");

    public static readonly DiagnosticDescriptor Unreadable = new(
        "MUX0087",
        "A contract file must be readable",
        "'{0}' cannot be read: {1}",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0087.md");

    private static readonly DiagnosticDescriptor[] s_all =
    [
        Gone, Shape, Body, FieldGone, FieldReplaced, WireType, Values, Cardinality, Presence, EnumValue, Include, Detail, Format, Promise, Access, JsonName,
        Behind, Unreadable,
    ];

    /// <summary>Gets the diagnostic of a rule.</summary>
    public static DiagnosticDescriptor Of(int rule) => s_all[rule - First];
}
