using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using Microsoft.CodeAnalysis;
using Mux.Generators.Diagnostics;

namespace Mux.Generators.Reading;

/// <summary>
/// Finds fields, conditions and callbacks of messages that the compiler does not show: it leaves private members of referenced assemblies out.
/// Reads the metadata themselves, so that such a member is refused and not silently left out.
/// </summary>
/// <remarks>Reference assemblies do not even hold private members; nothing can be found in them.</remarks>
internal static class HiddenMembers
{
    public static void Check(INamedTypeSymbol type, Compilation compilation, Findings findings)
    {
        if (SymbolEqualityComparer.Default.Equals(type.ContainingAssembly, compilation.Assembly)) return;
        if (type.ContainingModule.GetMetadata() is not { } module || type.OriginalDefinition.MetadataToken == 0) return;

        var reader = module.GetMetadataReader();
        var definition = reader.GetTypeDefinition((TypeDefinitionHandle)MetadataTokens.EntityHandle(type.OriginalDefinition.MetadataToken));
        var hidden = definition.GetFields().Select(handle => reader.GetFieldDefinition(handle))
            .Select(field => (field.Name, Attributes: field.GetCustomAttributes()))
            .Concat(definition.GetProperties().Select(handle => reader.GetPropertyDefinition(handle))
                .Select(property => (property.Name, Attributes: property.GetCustomAttributes())));
        foreach (var (nameHandle, attributes) in hidden)
        {
            var name = reader.GetString(nameHandle);
            if (!attributes.Any(handle => FullName(reader, handle) is WellKnownNames.ProtoMember or WellKnownNames.DataMember) || !type.GetMembers(name).IsEmpty) continue;
            findings.Report(MuxDiagnostics.HiddenMember, type, $"{type.ToDisplay()}.{name}", AccessReader.NotSeen);
        }

        foreach (var method in definition.GetMethods().Select(handle => reader.GetMethodDefinition(handle)))
        {
            var name = reader.GetString(method.Name);
            if (!IsAsked(type, name) && !method.GetCustomAttributes().Any(handle => CallbackReader.IsCallback(FullName(reader, handle) ?? string.Empty))) continue;
            if (type.GetMembers(name).IsEmpty) findings.Report(MuxDiagnostics.HiddenMember, type, $"{type.ToDisplay()}.{name}", AccessReader.NotSeen);
        }
    }

    // A method that decides whether a member is written.
    private static bool IsAsked(INamedTypeSymbol type, string method)
    {
        const string condition = "ShouldSerialize";
        return method.StartsWith(condition, StringComparison.Ordinal) && !type.GetMembers(method.Substring(condition.Length)).IsEmpty;
    }

    private static string? FullName(MetadataReader reader, CustomAttributeHandle handle)
    {
        var constructor = reader.GetCustomAttribute(handle).Constructor;
        var type = constructor.Kind switch
        {
            HandleKind.MemberReference => reader.GetMemberReference((MemberReferenceHandle)constructor).Parent,
            HandleKind.MethodDefinition => reader.GetMethodDefinition((MethodDefinitionHandle)constructor).GetDeclaringType(),
            _ => default,
        };
        return FullName(reader, type);
    }

    private static string? FullName(MetadataReader reader, EntityHandle type)
    {
        switch (type.Kind)
        {
            case HandleKind.TypeReference:
                var reference = reader.GetTypeReference((TypeReferenceHandle)type);
                return $"{reader.GetString(reference.Namespace)}.{reader.GetString(reference.Name)}";
            case HandleKind.TypeDefinition:
                var definition = reader.GetTypeDefinition((TypeDefinitionHandle)type);
                return $"{reader.GetString(definition.Namespace)}.{reader.GetString(definition.Name)}";
            default:
                return null;
        }
    }
}
