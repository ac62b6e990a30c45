using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Mux.Generators.Analysis;
using Mux.Generators.Messages.Reading;
using Mux.Generators.Symbols;

namespace Mux.Generators.CodeFixes;

/// <summary>Numbers members of the messages of one document, and remembers the numbers it has assigned.</summary>
internal sealed class NumberAssignment(SemanticModel model, CancellationToken cancellationToken)
{
    private readonly Dictionary<INamedTypeSymbol, FieldNumbers> _numbers = new(SymbolEqualityComparer.Default);

    /// <summary>Replacements of nodes. No node is inside another.</summary>
    public Dictionary<SyntaxNode, SyntaxNode> Changes { get; } = [];

    /// <summary>Numbers the member declared at a node, if possible.</summary>
    public void Number(SyntaxNode node)
    {
        if (MemberSyntax.DeclarationAt(node) is { } declaration) Number(declaration, model.GetDeclaredSymbol(node, cancellationToken));
    }

    /// <summary>
    /// Numbers the member declared at a node if its number is reserved. If its name is reserved, another number would lose the field and keep the mistake.
    /// </summary>
    public void NumberReserved(SyntaxNode node)
    {
        if (MemberSyntax.DeclarationAt(node) is not { } declaration || MemberOf(model.GetDeclaredSymbol(node, cancellationToken)) is not { } member) return;
        var numbers = NumbersOf(member.ContainingType);
        if (numbers.Members.TryGetValue(member, out int number) && numbers.IsReserved(number)) Number(declaration, member);
    }

    /// <summary>Numbers all public settable members of a type.</summary>
    public void NumberAll(TypeDeclarationSyntax type)
    {
        if (model.GetDeclaredSymbol(type, cancellationToken) is not { } symbol) return;
        foreach (var member in symbol.GetMembers().Where(member => NumbersOf(symbol).IsForgotten(member)))
        {
            var reference = member.DeclaringSyntaxReferences[0];
            if (reference.SyntaxTree == type.SyntaxTree && MemberSyntax.DeclarationAt(reference.GetSyntax(cancellationToken)) is { } declaration)
            {
                Number(declaration, member);
            }
        }
    }

    // A parameter of a positional record represents its property.
    private static ISymbol? MemberOf(ISymbol? symbol)
    {
        var member = symbol is IParameterSymbol parameter
            ? parameter.ContainingType.GetMembers(parameter.Name).FirstOrDefault(static found => found is IPropertySymbol) : symbol;
        return member is IPropertySymbol or IFieldSymbol ? member : null;
    }

    private void Number(SyntaxNode declaration, ISymbol? symbol)
    {
        if (MemberOf(symbol) is not { } member || MessageContract.Of(member.ContainingType) is not { InfersNumbers: false } contract) return;
        if (declaration is FieldDeclarationSyntax { Declaration.Variables.Count: > 1 }) return; // they share their attributes

        var numbers = NumbersOf(member.ContainingType);
        if (numbers.IsNamedAtType(member)) return;
        var tree = declaration.SyntaxTree;
        if (MemberSyntax.Find(member, WellKnownNames.ProtoMember, tree, cancellationToken) is { } proto)
        {
            numbers.Free(member);
            Changes[proto] = MemberSyntax.WithArgument(proto, null, $"{numbers.TakeNext()}");
        }
        else if (MemberSyntax.Find(member, WellKnownNames.DataMember, tree, cancellationToken) is { } data)
        {
            if (!contract.ReadsDataMembers) return; // a number would have no effect
            numbers.Free(member);
            Changes[data] = MemberSyntax.WithArgument(data, "Order", $"{numbers.TakeNext() - contract.DataMemberOffset}");
        }
        else
        {
            bool isProto = member.ContainingType.HasAttribute(WellKnownNames.ProtoContract);
            var attribute = isProto ? MemberSyntax.Attribute(WellKnownNames.ProtoMember, $"{numbers.TakeNext()}")
                : MemberSyntax.Attribute(WellKnownNames.DataMember, $"Order = {numbers.TakeNext() - contract.DataMemberOffset}");
            Changes[declaration] = MemberSyntax.WithAttribute(declaration, attribute);
        }
    }

    private FieldNumbers NumbersOf(INamedTypeSymbol type)
    {
        if (!_numbers.TryGetValue(type, out var numbers)) _numbers.Add(type, numbers = FieldNumbers.Of(type, model.Compilation));
        return numbers;
    }
}
