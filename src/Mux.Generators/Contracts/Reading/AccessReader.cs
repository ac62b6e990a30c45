using Microsoft.CodeAnalysis;
using Mux.Generators.Contracts.Models;
using Mux.Generators.Diagnostics;
using Mux.Generators.Messages.Models;
using Mux.Generators.Messages.Reading;
using Mux.Generators.Symbols;

namespace Mux.Generators.Contracts.Reading;

/// <summary>Determines how generated code can read and write members, whatever their accessibility.</summary>
internal sealed class AccessReader(Compilation compilation, Findings findings)
{
    /// <summary>Reason if a member is private in another assembly.</summary>
    public const string NotSeen = "it is private in another assembly; make it public, or compile the contract there";

    /// <summary>Adds the ways of access. Null if there is none; the reason is then in the findings.</summary>
    public MemberModel? Complete(MemberModel member, ISymbol symbol, INamedTypeSymbol type)
    {
        var definition = symbol.OriginalDefinition is IPropertySymbol declared ? declared.Type : ((IFieldSymbol)symbol.OriginalDefinition).Type;
        if (type.IsGenericType) member = member with { DefinitionType = definition.ToBareCode() };
        return symbol is IPropertySymbol property ? Complete(member, property, type) : Complete(member, (IFieldSymbol)symbol);
    }

    private MemberModel? Complete(MemberModel member, IFieldSymbol field)
    {
        bool isReachable = field.CanBeReferencedByName && compilation.IsReachable(field);
        if (!isReachable && !IsHere(field))
        {
            findings.Report(MuxDiagnostics.HiddenMember, field, field.ToDisplay(), NotSeen);
            return null;
        }

        return member with
        {
            Read = isReachable ? ReadAccess.Direct : ReadAccess.Field,
            Write = isReachable && !field.IsReadOnly ? WriteAccess.Direct : WriteAccess.Field,
            BackingField = field.Name,
        };
    }

    private MemberModel? Complete(MemberModel member, IPropertySymbol property, INamedTypeSymbol type)
    {
        var problem = property switch
        {
            { IsIndexer: true } => "it is an indexer",
            { ReturnsByRef: true } or { ReturnsByRefReadonly: true } => "it returns a reference",
            { ExplicitInterfaceImplementations.IsEmpty: false } => "it is an explicit implementation of an interface",
            { GetMethod: null } => "it has no getter, or none that can be seen from this assembly",
            { GetMethod: { } getter } when !IsHere(property) && !compilation.IsReachable(getter) => NotSeen,
            _ => null,
        };
        if (problem is not null)
        {
            findings.Report(MuxDiagnostics.HiddenMember, property, property.ToDisplay(), problem);
            return null;
        }

        var backing = property.BackingField();
        return member with
        {
            Read = compilation.IsReachable(property.GetMethod!) ? ReadAccess.Direct : ReadAccess.Accessor,
            Write = WriteOf(member, property, type, backing),
            BackingField = backing?.Name,
        };
    }

    private WriteAccess WriteOf(MemberModel member, IPropertySymbol property, INamedTypeSymbol type, IFieldSymbol? backing)
    {
        if (HasSetMethod(property, type)) return WriteAccess.Method;
        if (property.SetMethod is { } setter && (IsHere(property) || compilation.IsReachable(setter)))
            return !setter.IsInitOnly && compilation.IsReachable(setter) ? WriteAccess.Direct : WriteAccess.Accessor;
        if (backing is not null && IsHere(property)) return WriteAccess.Field;
        return CanBeFilled(member) ? WriteAccess.InPlace : WriteAccess.Constructor;
    }

    // How to empty a collection behind an interface is not known.
    private static bool CanBeFilled(MemberModel member) => member switch
    {
        { Container: Container.List } => true,
        { Collection: { } collection } => collection.CanBeFilled && !(member.Overwrites && collection.IsInterface),
        { Value: EnvelopeModel { Form: EnvelopeForm.Items } envelope } => CanBeFilled(envelope.Message.Members[0]),
        _ => false,
    };

    // Editors see private members of another project in its source, builds do not: reject them in both.
    private bool IsHere(ISymbol symbol) => SymbolEqualityComparer.Default.Equals(symbol.ContainingAssembly, compilation.Assembly);

    private static bool HasSetMethod(IPropertySymbol property, INamedTypeSymbol type)
    {
        return type.GetMembers("Set" + property.Name).OfType<IMethodSymbol>().Any(method =>
            method is { IsStatic: false, DeclaredAccessibility: Accessibility.Public, ReturnsVoid: true, Parameters.Length: 1, IsGenericMethod: false }
            && SymbolEqualityComparer.Default.Equals(method.Parameters[0].Type, property.Type));
    }
}
