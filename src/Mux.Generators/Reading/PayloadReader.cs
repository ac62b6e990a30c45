using Microsoft.CodeAnalysis;
using Mux.Generators.Models;

namespace Mux.Generators.Reading;

/// <summary>
/// Decides what arguments and results travel as: nothing as nothing, a message as itself, any other single value as field 1 of a
/// message, several arguments as a generated message with a field per argument.
/// </summary>
internal sealed class PayloadReader(MessageCatalog messages, Findings findings)
{
    private const string UnitType = "global::Mux.Contracts.Unit";

    /// <summary>Null if a parameter cannot be sent.</summary>
    public PayloadModel? ReadArguments(
        IMethodSymbol method, IParameterSymbol[] parameters, string subject, string container, string identifier, out MessageModel? arguments)
    {
        arguments = null;
        if (parameters.Length == 0) return Nothing(subject);
        if (parameters.Length == 1) return ReadSingle(parameters[0], parameters[0].Type, $"{subject}({parameters[0].Name})");

        var members = new List<MemberModel>();
        foreach (var parameter in parameters)
        {
            findings.Origin = parameter;
            int number = members.Count + 1;
            if (messages.ReadValue(parameter, parameter.Type) is not { } value) continue;
            members.Add(value.ToMember(number, parameter.Name, ReadAccess.Direct, WriteAccess.Direct));
        }

        findings.Origin = method;
        if (members.Count != parameters.Length) return null;

        var name = identifier + "Arguments";
        var type = $"{container}.{name}";
        arguments = new MessageModel(
            type, subject, name + "Codec", IsStruct: true, ChecksType: false, Construction.Default, EquatableArray<int>.Empty, ConstructorNeedsAccessor: false,
            new EquatableArray<MemberModel>([.. members]));
        return new PayloadModel(type, arguments.Codec, subject, InitialOf(arguments), RefusesNull: false);
    }

    /// <summary>Null if the result cannot be sent.</summary>
    public PayloadModel? ReadResult(IMethodSymbol method, ITypeSymbol? result, string subject)
    {
        return result is null ? Nothing(subject) : ReadSingle(method, result, subject);
    }

    private static PayloadModel Nothing(string subject) => new(UnitType, null, subject, "default", RefusesNull: false);

    private PayloadModel? ReadSingle(ISymbol symbol, ITypeSymbol type, string subject)
    {
        if (messages.ReadValue(symbol, type) is not { } value) return null;
        if (value is { Container: Container.Single, Value: NestedModel message })
            return new PayloadModel(type.ToCode(), message.Codec, subject, "default", RefusesNull: !message.IsStruct);

        // Written even if it is zero, as protobuf-net writes a bare number.
        var member = value.ToMember(1, "Value", ReadAccess.Self, WriteAccess.Self) with { Default = null };
        var wrapper = messages.AddWrapper(type, member);
        return new PayloadModel(type.ToCode(), wrapper.Codec, subject, member.Empty ?? "default", RefusesNull: false);
    }

    // Nothing stands for a null and for an empty list on the wire; arguments and results arrive as the latter.
    private static string InitialOf(MessageModel arguments)
    {
        var lists = arguments.Members.Where(static member => member.IsRepeated).Select(static member => $"{SymbolText.Escape(member.Name)} = {member.Empty}");
        var assignments = string.Join(", ", lists);
        return assignments.Length == 0 ? "default" : $"new {arguments.TypeName} {{ {assignments} }}";
    }
}
