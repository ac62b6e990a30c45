using Microsoft.CodeAnalysis;

namespace Mux.Generators.Diagnostics;

/// <summary>Errors and warnings of the generator. Ids are never reused; each has a page under docs/diagnostics and a row in its README.</summary>
internal static class MuxDiagnostics
{
    internal const string HelpBase = HelpPages.Address;

    internal const string Category = "Mux";

    public static readonly DiagnosticDescriptor ServiceName = new(
        "MUX0001",
        "The wire name of a service must be valid",
        "The wire name '{0}' of contract '{1}' must be 1 to 127 characters of letters, digits, '.', '_' and '-'",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0001.md");

    public static readonly DiagnosticDescriptor GenericContract = new(
        "MUX0002",
        "A contract must not be generic",
        "Contract '{0}' is generic or is declared in a generic type; remove the attribute and inherit one contract from it per closed type",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0002.md");

    public static readonly DiagnosticDescriptor DisposableContract = new(
        "MUX0003",
        "A contract must not be disposable",
        "Contract '{0}' inherits '{1}'; a proxy has nothing to dispose, only its channel has, so make the implementation disposable instead",
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
        "A member of a contract must be callable",
        "'{0}' is {1}",
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
        "A contract method must return a task or a stream",
        "Method '{0}' returns '{1}'; ValueTask, ValueTask<T>, Task, Task<T> and the streams IAsyncEnumerable<T>, ChannelReader<T>, Stream and PipeReader " +
            "are supported",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0007.md");

    public static readonly DiagnosticDescriptor ParameterKind = new(
        "MUX0008",
        "A parameter must be passed by value",
        "Parameter '{0}' of '{1}' is '{2}'; arguments are sent in one direction only, so pass it by value",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0008.md");

    public static readonly DiagnosticDescriptor TokenPosition = new(
        "MUX0009",
        "A token comes last, and only once",
        "Parameter '{0}' of '{1}' is a CancellationToken that is not the last parameter; put one token last",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0009.md");

    public static readonly DiagnosticDescriptor MethodName = new(
        "MUX0010",
        "The wire name of a method must be valid",
        "The wire name '{0}' of method '{1}' must be 1 to 127 characters of letters, digits, '.', '_' and '-'",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0010.md");

    public static readonly DiagnosticDescriptor DuplicateMethod = new(
        "MUX0011",
        "Wire names of methods must differ",
        "Methods '{0}' and '{1}' have the same wire name '{2}'; give one of them another name with [MuxMethod(\"name\")]",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0011.md");

    public static readonly DiagnosticDescriptor OneWayResult = new(
        "MUX0012",
        "A one-way method has no result",
        "Method '{0}' is one-way and returns '{1}'; a one-way method has no reply, so return ValueTask or Task",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0012.md");

    public static readonly DiagnosticDescriptor NoMessage = new(
        "MUX0013",
        "A type must be a scalar or a message",
        "'{0}' has the type '{1}', which is not a message; {2}",
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
        "Message '{0}' cannot be created: {1}",
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
        "A sub type must derive from its base",
        "Message '{0}' {1}",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0021.md");

    public static readonly DiagnosticDescriptor Callback = new(
        "MUX0022",
        "A callback must be callable",
        "'{0}' has [{1}] and cannot be called: {2}",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0022.md");

    public static readonly DiagnosticDescriptor Conditional = new(
        "MUX0023",
        "A condition must be usable",
        "'{0}', which decides whether '{1}' is written, {2}",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0023.md");

    public static readonly DiagnosticDescriptor Extension = new(
        "MUX0024",
        "Unknown fields are kept in one place",
        "Message '{0}' {1}",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0024.md");

    public static readonly DiagnosticDescriptor Format = new(
        "MUX0025",
        "A data format must fit the type",
        "'{0}' has the data format {1}, in which this value of type '{2}' cannot be written",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0025.md");

    public static readonly DiagnosticDescriptor DefaultValue = new(
        "MUX0026",
        "A default value must fit the type",
        "The [DefaultValue] of '{0}' cannot be converted to '{1}'; give a value that the member can hold, or remove the attribute",
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
        "Message '{0}' has public members but no member with a number, so nothing of it is sent; mark the members to send with [{1}(...)]",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0028.md");

    public static readonly DiagnosticDescriptor TwoStreams = new(
        "MUX0029",
        "A method takes one stream",
        "Method '{0}' takes the streams '{1}' and '{2}'; a call sends one stream, so send both kinds of items in one stream, or declare two methods",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0029.md");

    public static readonly DiagnosticDescriptor NestedStream = new(
        "MUX0030",
        "A stream must be a whole parameter or result",
        "'{0}' has the type '{1}'; {2}",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0030.md");

    public static readonly DiagnosticDescriptor OneWayStream = new(
        "MUX0031",
        "A one-way method has no stream",
        "Method '{0}' is one-way and has a stream; neither side could report that it was cut short, so remove OneWay",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0031.md");

    public static readonly DiagnosticDescriptor ResultOfStream = new(
        "MUX0032",
        "A MuxResult cannot be combined with a stream",
        "Method '{0}' returns '{1}' and has a stream; a stream reports failures by an exception, so return the value without MuxResult",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0032.md");

    public static readonly DiagnosticDescriptor OptionsPosition = new(
        "MUX0033",
        "Options come last and once",
        "Parameter '{0}' of '{1}' is a MuxCallOptions that is not the last parameter before the token; put one there",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0033.md");

    public static readonly DiagnosticDescriptor ErrorNumber = new(
        "MUX0034",
        "The number of an error must be in range",
        "Error '{0}' of '{1}' has the number {2}; numbers of errors are 1 to 65535",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0034.md");

    public static readonly DiagnosticDescriptor DuplicateError = new(
        "MUX0035",
        "Errors must differ",
        "'{0}' declares {1} twice, including the declarations of its service; give every type its own number",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0035.md");

    public static readonly DiagnosticDescriptor ErrorDetail = new(
        "MUX0036",
        "The detail of an error must be a message",
        "'{0}' declares errors with '{1}', which is not a message; use a type with [DataContract] or [ProtoContract]",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0036.md");

    public static readonly DiagnosticDescriptor Choice = new(
        "MUX0037",
        "An option of a method, service or callback must be in range",
        "'{0}' has {1} = {2}; {3}",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0037.md");

    public static readonly DiagnosticDescriptor CompatibilityLevel = new(
        "MUX0038",
        "A compatibility level must be known, and only one",
        "'{0}' has the compatibility level {1}",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0038.md");

    public static readonly DiagnosticDescriptor UndeclaredLevel = new(
        "MUX0039",
        "Dates, Guid and decimal need a compatibility level",
        "'{0}' has '{1}' and no compatibility level, so dates, spans, Guid and decimal are written in a form that no other library reads; add " +
            "[assembly: MuxCompatibilityLevel(MuxCompatibilityLevel.Level300)], or Level200 to keep the bytes of messages in use",
        Category,
        DiagnosticSeverity.Info,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0039.md");

    public static readonly DiagnosticDescriptor NullWrapping = new(
        "MUX0040",
        "Null cannot be wrapped here",
        "'{0}' has [{1}], but {2}",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0040.md");

    public static readonly DiagnosticDescriptor MapOption = new(
        "MUX0041",
        "An option of a map has no effect",
        "'{0}' has [ProtoMap] with {1}, which has no effect: {2}",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0041.md");

    public static readonly DiagnosticDescriptor TakenAsTuple = new(
        "MUX0042",
        "A type without attributes is taken as a tuple",
        "'{0}' has no attribute and is taken as a tuple: its members are numbered in the order of the constructor's parameters; mark it [DataContract] and " +
            "number its members, so that they can be reordered",
        Category,
        DiagnosticSeverity.Info,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0042.md");

    public static readonly DiagnosticDescriptor BaseNotSent = new(
        "MUX0043",
        "Members of a base class are not sent",
        "Message '{0}' inherits marked members of '{1}', which are not sent, as with protobuf-net; to send them, name '{0}' by [ProtoInclude] on '{1}'",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0043.md");

    public static readonly DiagnosticDescriptor PartialMember = new(
        "MUX0044",
        "A partial attribute must name a member",
        "Message '{0}' has an attribute for a member '{1}', which it does not declare",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0044.md");

    public static readonly DiagnosticDescriptor UnheardCallback = new(
        "MUX0045",
        "A callback is not called",
        "'{0}' has [{1}] and is not called, as with protobuf-net: {2}",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0045.md");

    public static readonly DiagnosticDescriptor Surrogate = new(
        "MUX0046",
        "A surrogate must fit its message",
        "Message '{0}' cannot be written as '{1}': {2}",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0046.md");

    public static readonly DiagnosticDescriptor NoSerializer = new(
        "MUX0058",
        "A serializer must be usable",
        "'{0}' names the serializer '{1}', which {2}",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0058.md");

    public static readonly DiagnosticDescriptor SeveralSerialized = new(
        "MUX0059",
        "A serializer takes one argument",
        "Method '{0}' takes {1} arguments, but '{2}' sends only one; combine them in one message, or name GeneratedCodec for the method",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0059.md");

    public static readonly DiagnosticDescriptor NotSerialized = new(
        "MUX0060",
        "A serializer must send the type",
        "'{0}' has the type '{1}'; {2}",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0060.md");

    public static readonly DiagnosticDescriptor KeyType = new(
        "MUX0061",
        "A key must be a value that can be hashed",
        "'{0}' has [MuxKey] and the type '{1}'; {2}",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0061.md");

    public static readonly DiagnosticDescriptor SeveralKeys = new(
        "MUX0062",
        "A call has one key",
        "'{0}' has the keys '{1}' and '{2}'; a call has one, so mark a property that combines them, or the parameter that is the key",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0062.md");

    public static readonly DiagnosticDescriptor ReferenceAssembly = new(
        "MUX0068",
        "A message must come with its private members",
        "'{0}' comes from a reference assembly of '{1}', which has no private members, so fields, conditions and callbacks of the message may be missing; " +
            "set <CompileUsingReferenceAssemblies>false</CompileUsingReferenceAssemblies> in this project",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0068.md");

    public static readonly DiagnosticDescriptor IdleAttribute = new(
        "MUX0069",
        "An attribute has no effect",
        "'{0}' has [{1}], which has no effect: {2}",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        helpLinkUri: HelpBase + "MUX0069.md");
}
