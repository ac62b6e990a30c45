using System.Collections.Immutable;
using Microsoft.CodeAnalysis;

namespace Mux.Generators.Contracts.Reading;

/// <summary>
/// The files of this project that a contract is read from: those with the types that it reaches, their bases, and the types
/// that their members have. What other projects declare is known by the references. Not thread-safe.
/// </summary>
/// <param name="assembly">The assembly of the project.</param>
internal sealed class ReadFiles(IAssemblySymbol assembly)
{
    private readonly HashSet<ISymbol> _read = new(SymbolEqualityComparer.Default);
    private readonly HashSet<ISymbol> _mentioned = new(SymbolEqualityComparer.Default);
    private readonly HashSet<SyntaxTree> _files = [];

    /// <summary>Adds the files of a type whose members are read.</summary>
    public void Add(ITypeSymbol type)
    {
        Mention(type);
        if (type is not INamedTypeSymbol { OriginalDefinition: var definition } || !IsHere(definition) || !_read.Add(definition)) return;
        bool isContract = definition.TypeKind == TypeKind.Interface;
        MentionAttributes(definition);
        foreach (var one in definition.Interfaces)
        {
            if (isContract) Add(one);
            else Mention(one);
        }

        if (definition.BaseType is { } parent) Add(parent);
        foreach (var member in definition.GetMembers()) AddMember(member, isContract);
    }

    public ImmutableArray<SyntaxTree> ToArray() => [.. _files];

    private bool IsHere(ITypeSymbol type) => SymbolEqualityComparer.Default.Equals(type.ContainingAssembly, assembly);

    // Attributes of members of messages are not asked for: to bind them costs more than all else that is read of a member,
    // and the types that they name are of those that are reached.
    private void AddMember(ISymbol member, bool isContract)
    {
        switch (member)
        {
            case IFieldSymbol field:
                Mention(field.Type);
                break;
            case IPropertySymbol property:
                Mention(property.Type);
                break;
            case IMethodSymbol method when isContract || method.MethodKind is MethodKind.Constructor or MethodKind.Conversion:
                Mention(method.ReturnType);
                foreach (var parameter in method.Parameters) Mention(parameter.Type);
                if (isContract) MentionAttributes(method);
                break;
        }
    }

    private void MentionAttributes(ISymbol symbol)
    {
        foreach (var attribute in symbol.GetAttributes())
        {
            Mention(attribute.AttributeClass);
            foreach (var argument in attribute.ConstructorArguments) MentionConstant(argument);
            foreach (var argument in attribute.NamedArguments) MentionConstant(argument.Value);
        }
    }

    private void MentionConstant(TypedConstant constant)
    {
        if (constant.Kind == TypedConstantKind.Type)
        {
            Mention(constant.Value as ITypeSymbol);
        }
        else if (constant.Kind == TypedConstantKind.Array)
        {
            foreach (var value in constant.Values.IsDefault ? [] : constant.Values) MentionConstant(value);
        }
    }

    private void Mention(ITypeSymbol? type)
    {
        switch (type)
        {
            case IArrayTypeSymbol array:
                Mention(array.ElementType);
                break;
            case INamedTypeSymbol named:
                foreach (var argument in named.TypeArguments) Mention(argument);
                Mention(named.ContainingType);
                var definition = named.OriginalDefinition;
                if (!IsHere(definition) || !_mentioned.Add(definition)) break;
                foreach (var reference in definition.DeclaringSyntaxReferences) _files.Add(reference.SyntaxTree);
                Mention(definition.BaseType);
                break;
        }
    }
}
