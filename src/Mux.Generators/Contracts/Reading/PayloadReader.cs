using Microsoft.CodeAnalysis;
using Mux.Generators.Contracts.Models;
using Mux.Generators.Diagnostics;
using Mux.Generators.Messages.Models;
using Mux.Generators.Messages.Reading;
using Mux.Generators.Symbols;

namespace Mux.Generators.Contracts.Reading;

/// <summary>
/// Decides how arguments and results are sent: nothing as nothing, a message as itself, any other single value as field 1 of a message, several arguments as a
/// generated message with a field per argument. Items of streams are sent like results, bytes unchanged. A serializer other than the codec sends a single value
/// in its own format.
/// </summary>
internal sealed class PayloadReader(MessageCatalog messages, Findings findings, SerializedPayloads serialized)
{
    private const string UnitType = "global::Mux.MuxUnit";
    private const string BytesType = "global::Mux.Contracts.ByteChunk";

    private readonly CompatibilityLevelReader _levels = new(findings);
    private readonly UndeclaredLevels _undeclared = new(findings);

    /// <summary>Serializer of the current method; null for the codec.</summary>
    public Serializer? Serializer { get; set; }

    /// <summary>Reads the payload of the arguments. Null if a parameter cannot be sent.</summary>
    public PayloadModel? ReadArguments(
        IMethodSymbol method, IParameterSymbol[] parameters, string subject, string container, string identifier, out MessageModel? arguments)
    {
        arguments = null;
        if (parameters.Length == 0) return Nothing(subject);
        if (parameters.Length == 1) return ReadArgument(parameters[0], subject);

        if (Serializer is { } serializer)
        {
            findings.Report(MuxDiagnostics.SeveralSerialized, method, method.ToDisplay(), $"{parameters.Length}", serializer.Type.ToDisplay());
            return null;
        }

        var options = new ValueOptions(DataFormat.Default, _levels.Of(method.ContainingType));
        var members = new List<MemberModel>();
        foreach (var parameter in parameters)
        {
            findings.Origin = parameter;
            int number = members.Count + 1;
            if (messages.ReadValue(parameter, parameter.Type, options) is not { } value) continue;
            _undeclared.Check(method.ContainingType, parameter, value.Value);
            members.Add(value.ToMember(number, parameter.Name, ReadAccess.Direct, WriteAccess.Direct) with
            {
                IsOptional = parameter.Type.NullableAnnotation == NullableAnnotation.Annotated,
            });
        }

        findings.Origin = method;
        if (members.Count != parameters.Length) return null;

        var name = identifier + "_Arguments";
        while (members.Exists(member => member.Name == name)) name += "_"; // a member cannot have the name of its type
        var type = $"{container}.{name}";
        arguments = new MessageModel(
            type, subject, name + "Codec", IsStruct: true, ChecksType: false, Construction.Default, EquatableArray<int>.Empty, ConstructorNeedsAccessor: false,
            new EquatableArray<MemberModel>([.. members]));
        var required = parameters.Where(ParameterReader.RefusesNull).Select(static parameter => parameter.Name);
        return new PayloadModel(type, arguments.Codec, subject, InitialOf(arguments), RefusesNull: false)
        {
            Required = new EquatableArray<string>([.. required]),
        };
    }

    /// <summary>Reads the payload of an item of the request stream. Null if it cannot be sent.</summary>
    public PayloadModel? ReadStream(IParameterSymbol? stream, string subject)
    {
        return stream is null ? Nothing(subject) : ReadItem(stream, stream.Type, $"{subject}({stream.Name})");
    }

    /// <summary>Reads the payload of the result, or of an item of it. Null if it cannot be sent.</summary>
    public PayloadModel? ReadResult(IMethodSymbol method, ReturnValue returned, string subject)
    {
        if (returned.Result is not { } result) return Nothing(subject);
        if (returned.Stream is not null) return ReadItem(method, result, subject);
        if (!returned.IsResult) return ReadSingle(method, result, subject);

        var value = ((INamedTypeSymbol)result).TypeArguments[0];
        bool isUnit = value is INamedTypeSymbol named && named.ToFullName() == WellKnownNames.MuxUnit;
        var payload = isUnit ? Nothing(subject) : ReadSingle(method, value, subject);
        return payload is null ? null : payload with { TypeName = result.ToCode(), Form = PayloadForm.Result };
    }

    /// <summary>Gets the payload of answers to callbacks.</summary>
    public static PayloadModel CallbackAnswer(string subject) =>
        new("global::Mux.Callbacks.CallbackAnswer", null, subject, "default", RefusesNull: false, PayloadForm.CallbackAnswer);

    /// <summary>Gets the payload of messages of a method with callbacks.</summary>
    public static PayloadModel CallbackMessage(string subject) =>
        new("global::Mux.Callbacks.CallbackMessage", null, subject, "default", RefusesNull: false, PayloadForm.CallbackMessage);

    private PayloadModel Nothing(string subject) => new(UnitType, null, subject, "default", RefusesNull: false, Serialized: Serializer?.Send(null, subject));

    // A message, and a value of another serializer, is never null in any case.
    private PayloadModel? ReadArgument(IParameterSymbol parameter, string subject)
    {
        var payload = ReadSingle(parameter, parameter.Type, $"{subject}({parameter.Name})");
        return payload is { RefusesNull: false } && ParameterReader.RefusesNull(parameter) ? payload with { IsRequired = true } : payload;
    }

    private PayloadModel? ReadItem(ISymbol symbol, ITypeSymbol stream, string subject)
    {
        if (StreamTypes.ItemOf(stream) is { } item) return ReadSingle(symbol, item, subject);
        return new PayloadModel(BytesType, null, subject, "default", RefusesNull: false, PayloadForm.Bytes);
    }

    private PayloadModel? ReadSingle(ISymbol symbol, ITypeSymbol type, string subject)
    {
        if (Serializer is not null) return ReadSerialized(symbol, type, Serializer, subject);
        var contract = symbol.ContainingType;
        var level = _levels.OfSingleValues(contract);
        var options = new ValueOptions(DataFormat.Default, level) { TupleLevel = _levels.Of(contract) };
        if (messages.ReadValue(symbol, type, options) is not { } value) return null;
        if (value is { Container: Container.Single, Value: NestedModel message })
            return new PayloadModel(type.ToCode(), message.Codec, subject, "default", RefusesNull: !message.IsStruct);

        // Written even if zero, as protobuf-net does with a bare number.
        var member = value.ToMember(1, "Value", ReadAccess.Self, WriteAccess.Self) with { Default = null };
        _undeclared.CheckSingle(contract, symbol, value.Value);
        var wrapper = messages.AddWrapper(type, member, options);
        return new PayloadModel(type.ToCode(), wrapper.Codec, subject, member.Empty ?? "default", RefusesNull: false);
    }

    private PayloadModel? ReadSerialized(ISymbol symbol, ITypeSymbol type, Serializer serializer, string subject)
    {
        if (serialized.Read(symbol, type, serializer, subject) is not { } model) return null;
        return new PayloadModel(type.ToCode(), null, subject, "default", RefusesNull: true, Serialized: model);
    }

    // Null and an empty list have the same encoding; in arguments and results it is read as an empty list.
    private static string InitialOf(MessageModel arguments)
    {
        var lists = arguments.Members.Where(static member => member.IsRepeated).Select(static member => $"{SymbolText.Escape(member.Name)} = {member.Empty}");
        var assignments = string.Join(", ", lists);
        return assignments.Length == 0 ? "default" : $"new {arguments.TypeName} {{ {assignments} }}";
    }
}
