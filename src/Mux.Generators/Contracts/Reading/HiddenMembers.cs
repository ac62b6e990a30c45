using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using Microsoft.CodeAnalysis;
using Mux.Generators.Diagnostics;
using Mux.Generators.Messages.Reading;
using Mux.Generators.Symbols;

namespace Mux.Generators.Contracts.Reading;

/// <summary>
/// Finds fields, conditions and callbacks of messages that the compiler hides, because it omits private members of referenced assemblies. Reads the metadata
/// directly, so that such a member is rejected rather than silently omitted.
/// </summary>
/// <remarks>Reference assemblies have no private members at all: <see cref="ReferenceAssemblies"/> rejects them.</remarks>
internal sealed class HiddenMembers
{
    private const string Condition = "ShouldSerialize";
    private const string Specified = "Specified";

    private readonly INamedTypeSymbol _message;
    private readonly INamedTypeSymbol _type;
    private readonly MessageContract _contract;
    private readonly Findings _findings;
    private readonly MetadataReader _reader;
    private readonly TypeDefinition _definition;

    private HiddenMembers(INamedTypeSymbol message, INamedTypeSymbol type, MetadataReader reader, Findings findings)
    {
        _message = message;
        _type = type;
        _contract = MessageContract.Of(type) ?? MessageContract.Bare;
        _findings = findings;
        _reader = reader;
        _definition = reader.GetTypeDefinition((TypeDefinitionHandle)MetadataTokens.EntityHandle(type.OriginalDefinition.MetadataToken));
    }

    /// <summary>Reports members that matter for the message but cannot be seen.</summary>
    public static void Check(INamedTypeSymbol type, Compilation compilation, Findings findings)
    {
        Of(type, type, compilation, findings)?.CheckOwn();
        for (var parent = type.BaseType; parent is { SpecialType: not SpecialType.System_Object }; parent = parent.BaseType)
            Of(type, parent, compilation, findings)?.CheckConditions(isInherited: true);
    }

    private static HiddenMembers? Of(INamedTypeSymbol message, INamedTypeSymbol type, Compilation compilation, Findings findings)
    {
        if (SymbolEqualityComparer.Default.Equals(type.ContainingAssembly, compilation.Assembly)) return null;
        if (type.ContainingModule.GetMetadata() is not { } module || type.OriginalDefinition.MetadataToken == 0) return null;
        return new HiddenMembers(message, type, module.GetMetadataReader(), findings);
    }

    private void CheckOwn()
    {
        foreach (var field in _definition.GetFields().Select(handle => _reader.GetFieldDefinition(handle)))
        {
            if (IsNumbered(field.GetCustomAttributes()) || KeepsUnknownFields(field)) Report(NameOfField(_reader.GetString(field.Name)));
        }

        foreach (var property in _definition.GetProperties().Select(handle => _reader.GetPropertyDefinition(handle)))
        {
            if (IsNumbered(property.GetCustomAttributes())) Report(_reader.GetString(property.Name));
        }

        foreach (var method in _definition.GetMethods().Select(handle => _reader.GetMethodDefinition(handle)))
        {
            if (method.GetCustomAttributes().Any(handle => CallbackReader.IsCallback(FullName(handle)))) Report(_reader.GetString(method.Name));
        }

        CheckConditions(isInherited: false);
    }

    // Checks the members that decide whether a member is written. Private ones of a base class are not inherited.
    private void CheckConditions(bool isInherited)
    {
        foreach (var handle in _definition.GetMethods())
        {
            var method = _reader.GetMethodDefinition(handle);
            var name = _reader.GetString(method.Name);
            bool isCondition = name.StartsWith(Condition, StringComparison.Ordinal) && IsMember(name.Substring(Condition.Length)) && !HasParameters(method);
            if (isCondition && !(isInherited && IsPrivate(method))) Report(name);
        }

        foreach (var property in _definition.GetProperties().Select(handle => _reader.GetPropertyDefinition(handle)))
        {
            var name = _reader.GetString(property.Name);
            bool isCondition = name.EndsWith(Specified, StringComparison.Ordinal) && IsMember(name.Substring(0, name.Length - Specified.Length));
            var getter = property.GetAccessors().Getter;
            if (isCondition && !getter.IsNil && !(isInherited && IsPrivate(_reader.GetMethodDefinition(getter)))) Report(name);
        }
    }

    private void Report(string name)
    {
        if (_type.GetMembers(name).IsEmpty) _findings.Report(MuxDiagnostics.HiddenMember, _message, $"{_type.ToDisplay()}.{name}", AccessReader.NotSeen);
    }

    private bool IsMember(string name) => name.Length > 0 && _message.GetMembers(name).Any(static member => member is IPropertySymbol or IFieldSymbol);

    private static bool IsPrivate(MethodDefinition method) =>
        (method.Attributes & System.Reflection.MethodAttributes.MemberAccessMask) is System.Reflection.MethodAttributes.Private
            or System.Reflection.MethodAttributes.PrivateScope;

    private bool HasParameters(MethodDefinition method)
    {
        var signature = _reader.GetBlobReader(method.Signature);
        var header = signature.ReadSignatureHeader();
        if (header.IsGeneric) signature.ReadCompressedInteger();
        return signature.ReadCompressedInteger() > 0;
    }

    private bool KeepsUnknownFields(FieldDefinition field)
    {
        if ((field.Attributes & System.Reflection.FieldAttributes.Static) != 0) return false;
        var signature = _reader.GetBlobReader(field.Signature);
        signature.ReadSignatureHeader();
        if (signature.ReadCompressedInteger() != (int)SignatureTypeKind.Class) return false;
        return FullName(signature.ReadTypeHandle()) == WellKnownNames.UnknownFields;
    }

    // A backing field has the property's name between angle brackets.
    private static string NameOfField(string name) =>
        name.Length > 0 && name[0] == '<' && name.IndexOf('>') is > 1 and var end ? name.Substring(1, end - 1) : name;

    private bool IsNumbered(CustomAttributeHandleCollection attributes)
    {
        var names = attributes.Select(FullName).ToList();
        return names.Any(IsNumbering) && !names.Contains(WellKnownNames.ProtoIgnore);
    }

    private bool IsNumbering(string attribute) => attribute switch
    {
        WellKnownNames.ProtoMember => true,
        WellKnownNames.DataMember => _contract.ReadsDataMembers,
        WellKnownNames.XmlElement or WellKnownNames.XmlArray => _contract.ReadsXmlElements,
        _ => false,
    };

    private string FullName(CustomAttributeHandle handle)
    {
        var constructor = _reader.GetCustomAttribute(handle).Constructor;
        var type = constructor.Kind switch
        {
            HandleKind.MemberReference => _reader.GetMemberReference((MemberReferenceHandle)constructor).Parent,
            HandleKind.MethodDefinition => _reader.GetMethodDefinition((MethodDefinitionHandle)constructor).GetDeclaringType(),
            _ => default,
        };
        return FullName(type);
    }

    private string FullName(EntityHandle type)
    {
        switch (type.Kind)
        {
            case HandleKind.TypeReference:
                var reference = _reader.GetTypeReference((TypeReferenceHandle)type);
                return $"{_reader.GetString(reference.Namespace)}.{_reader.GetString(reference.Name)}";
            case HandleKind.TypeDefinition:
                var definition = _reader.GetTypeDefinition((TypeDefinitionHandle)type);
                return $"{_reader.GetString(definition.Namespace)}.{_reader.GetString(definition.Name)}";
            default:
                return string.Empty;
        }
    }
}
