using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Mux.Generators.Symbols;

namespace Mux.Generators.Messages.Reading;

/// <summary>
/// Reads the numbers of plain members from their code. A plain member has [DataMember(Order = 1)], with a number and no other attribute, like most members of
/// most messages. To bind an attribute takes the compiler longer than everything else that it is asked of a member.
/// </summary>
/// <remarks>
/// The compiler says what the name of the attribute means, once for all types of a namespace in a file: it looks names up in the types around the member and
/// their bases, then in the namespace and its usings. So members of types with a base or with types of their own are not plain. Remembers symbols of one
/// compilation.
/// </remarks>
internal sealed class PlainMembers
{
    private readonly Dictionary<(SyntaxNode Space, string Name), bool> _isDataMember = [];

    /// <summary>Gets the order that a plain member declares; null for any other member.</summary>
    public int? OrderOf(ISymbol member)
    {
        if (member.IsImplicitlyDeclared || CodeOf(member) is not { } code) return null;
        var lists = code is VariableDeclaratorSyntax { Parent.Parent: FieldDeclarationSyntax field } ? field.AttributeLists : ListsOf(code);
        if (lists.Count != 1 || lists[0].Attributes.Count != 1 || lists[0].Attributes[0] is not { Name: IdentifierNameSyntax name } attribute) return null;
        if (attribute.ArgumentList is not { Arguments: { Count: 1 } arguments }) return null;
        if (arguments[0] is not { NameEquals.Name.Identifier.ValueText: "Order", Expression: LiteralExpressionSyntax { Token.Value: int order } }) return null;
        var target = code is ParameterSyntax ? SyntaxKind.PropertyKeyword : SyntaxKind.None;
        if ((lists[0].Target?.Identifier.Kind() ?? SyntaxKind.None) != target || SpaceOf(code, member.ContainingType) is not { } space) return null;

        var key = (space, name.Identifier.ValueText);
        if (!_isDataMember.TryGetValue(key, out bool isDataMember)) _isDataMember.Add(key, isDataMember = IsDataMember(member, order));
        return isDataMember ? order : null;
    }

    /// <summary>True for the hidden field of a property without attributes for it. To ask the compiler for these takes as long as to bind them.</summary>
    public static bool IsBareField(ISymbol member)
    {
        if (member is not IFieldSymbol { IsImplicitlyDeclared: true, AssociatedSymbol: IPropertySymbol property }) return false;
        if (CodeOf(property) is not { } code || code is not (PropertyDeclarationSyntax or ParameterSyntax)) return false;
        foreach (var list in ListsOf(code))
        {
            if (list.Target is { } target && target.Identifier.IsKind(SyntaxKind.FieldKeyword)) return false;
        }

        return true;
    }

    // Null for a member that is declared in another assembly, or in two parts, which may both have attributes.
    private static SyntaxNode? CodeOf(ISymbol member)
    {
        var references = member.DeclaringSyntaxReferences;
        if (references.Length != 1) return null;
        var code = references[0].GetSyntax();
        return code is PropertyDeclarationSyntax property && property.Modifiers.Any(SyntaxKind.PartialKeyword) ? null : code;
    }

    private static SyntaxList<AttributeListSyntax> ListsOf(SyntaxNode member) => member switch
    {
        PropertyDeclarationSyntax property => property.AttributeLists,
        ParameterSyntax parameter => parameter.AttributeLists,
        _ => default,
    };

    // The namespace with the type; null if names may mean something else inside the type.
    private static SyntaxNode? SpaceOf(SyntaxNode member, INamedTypeSymbol type)
    {
        if (type.IsGenericType || type.ContainingType is not null || type.OwnBase() is not null || !type.GetTypeMembers().IsEmpty) return null;
        return member.FirstAncestorOrSelf<TypeDeclarationSyntax>()?.Parent;
    }

    private static bool IsDataMember(ISymbol member, int order) =>
        member.GetAttributes() is { Length: 1 } attributes && attributes[0] is { AttributeClass: { } type } attribute
            && type.HasFullName(WellKnownNames.DataMember) && attribute.Number("Order") == order;
}
