using Microsoft.CodeAnalysis;

namespace Mux.Generators.Diagnostics;

/// <summary>Everything the generator refuses. Ids are never reused; each has a page under docs/diagnostics.</summary>
internal static class MuxDiagnostics
{
    /// <summary>Help links are paths in the repository: there is no site that is ours.</summary>
    private const string HelpBase = "docs/diagnostics/";

    private const string Category = "Mux";

    public static readonly DiagnosticDescriptor ServiceName = new(
        "MUX0001",
        "A wire name of a service must be usable",
        "The wire name '{0}' of contract '{1}' must be 1 to 127 characters of letters, digits, '.', '_' and '-'",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0001.md");

    public static readonly DiagnosticDescriptor GenericContract = new(
        "MUX0002",
        "A contract must not be generic",
        "Contract '{0}' is generic or stands in a generic type; declare one interface per closed type",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0002.md");

    public static readonly DiagnosticDescriptor InheritedContract = new(
        "MUX0003",
        "A contract must not inherit",
        "Contract '{0}' inherits '{1}'; declare all methods in one interface, inheritance of contracts is not supported yet",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0003.md");

    public static readonly DiagnosticDescriptor HiddenContract = new(
        "MUX0004",
        "A contract must be accessible",
        "Contract '{0}' cannot be reached by generated code; make it and the types around it public or internal",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0004.md");

    public static readonly DiagnosticDescriptor NoMethod = new(
        "MUX0005",
        "A contract holds methods only",
        "'{0}' is {1}; a contract declares instance methods without a body and nothing else",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0005.md");

    public static readonly DiagnosticDescriptor GenericMethod = new(
        "MUX0006",
        "A contract method must not be generic",
        "Method '{0}' is generic; declare one method per type",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0006.md");

    public static readonly DiagnosticDescriptor ReturnType = new(
        "MUX0007",
        "A contract method must return a task",
        "Method '{0}' returns '{1}'; ValueTask, ValueTask<T>, Task and Task<T> are supported{2}",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0007.md");

    public static readonly DiagnosticDescriptor ParameterKind = new(
        "MUX0008",
        "A parameter must be passed by value",
        "Parameter '{0}' of '{1}' is '{2}'; arguments travel by value, and only one way",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0008.md");

    public static readonly DiagnosticDescriptor TokenPosition = new(
        "MUX0009",
        "A token comes last and once",
        "Parameter '{0}' of '{1}' is a CancellationToken that is not the last parameter; put one token last",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0009.md");

    public static readonly DiagnosticDescriptor MethodName = new(
        "MUX0010",
        "A wire name of a method must be usable",
        "The wire name '{0}' of method '{1}' must be 1 to 127 characters of letters, digits, '.', '_' and '-'",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0010.md");

    public static readonly DiagnosticDescriptor DuplicateMethod = new(
        "MUX0011",
        "Wire names of methods must differ",
        "Methods '{0}' and '{1}' have the same wire name '{2}'; give one of them another with [MuxMethod(\"name\")]",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0011.md");

    public static readonly DiagnosticDescriptor OneWayResult = new(
        "MUX0012",
        "A one-way method has no result",
        "Method '{0}' is one-way and returns '{1}'; nothing comes back from it, so return ValueTask or Task",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0012.md");

    public static readonly DiagnosticDescriptor NoMessage = new(
        "MUX0013",
        "A type must be a scalar or a message",
        "'{0}' has the type '{1}', which is not a message; mark it [DataContract] or [ProtoContract] and number its members",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0013.md");

    public static readonly DiagnosticDescriptor UnsupportedType = new(
        "MUX0014",
        "This type is not supported",
        "'{0}' has the type '{1}'; {2}",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0014.md");

    public static readonly DiagnosticDescriptor HiddenMessage = new(
        "MUX0015",
        "A message must be accessible",
        "'{0}' has the type '{1}', which generated code cannot reach; make it and the types around it public or internal",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0015.md");

    public static readonly DiagnosticDescriptor NoConstructor = new(
        "MUX0016",
        "A message must be constructible",
        "Message '{0}' cannot be made: {1}",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0016.md");

    public static readonly DiagnosticDescriptor HiddenMember = new(
        "MUX0017",
        "A member must be readable and writable",
        "'{0}' cannot be used as a field: {1}",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0017.md");

    public static readonly DiagnosticDescriptor FieldNumber = new(
        "MUX0018",
        "A field number must be in range",
        "'{0}' has the field number {1}; field numbers are 1 to 536870911",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0018.md");

    public static readonly DiagnosticDescriptor DuplicateNumber = new(
        "MUX0019",
        "Field numbers must differ",
        "'{0}' and '{1}' have the same field number {2}",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0019.md");

    public static readonly DiagnosticDescriptor Option = new(
        "MUX0020",
        "This attribute option is not supported",
        "'{0}' uses {1}, which is not supported and would change the bytes; remove it or keep this type out of the contract",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0020.md");

    public static readonly DiagnosticDescriptor Inheritance = new(
        "MUX0021",
        "Inheritance between messages is not supported",
        "Message '{0}' {1}; inheritance of messages is not supported yet, use a member that holds the other message",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0021.md");

    public static readonly DiagnosticDescriptor Callback = new(
        "MUX0022",
        "Serialization callbacks are not supported",
        "'{0}' is a serialization callback ({1}), which would not be called; remove it or keep this type out of the contract",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0022.md");

    public static readonly DiagnosticDescriptor Conditional = new(
        "MUX0023",
        "Conditional members are not supported",
        "'{0}' decides whether '{1}' is written, which is not supported; use a nullable type instead",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0023.md");

    public static readonly DiagnosticDescriptor Extension = new(
        "MUX0024",
        "Extension data are not supported",
        "Message '{0}' implements {1}; keeping unknown fields is not supported, they are skipped",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0024.md");

    public static readonly DiagnosticDescriptor Format = new(
        "MUX0025",
        "A data format must fit the type",
        "'{0}' is declared {1}, which values of type '{2}' cannot be written as",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0025.md");

    public static readonly DiagnosticDescriptor DefaultValue = new(
        "MUX0026",
        "A default value must fit the type",
        "The [DefaultValue] of '{0}' cannot be converted to '{1}'",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0026.md");

    public static readonly DiagnosticDescriptor NoOrder = new(
        "MUX0027",
        "A member without a number is not sent",
        "'{0}' has [DataMember] {1}, so it is not sent, as with protobuf-net; number it or remove the attribute",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0027.md");

    public static readonly DiagnosticDescriptor NothingSent = new(
        "MUX0028",
        "Nothing of a message is sent",
        "Message '{0}' has public members and none with a number, so nothing of it is sent; mark those to send with [{1}(...)]",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0028.md");
}
