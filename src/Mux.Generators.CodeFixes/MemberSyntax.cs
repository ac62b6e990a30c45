using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Formatting;
using Microsoft.CodeAnalysis.Simplification;
using Mux.Generators.Symbols;

namespace Mux.Generators.CodeFixes;

/// <summary>Attributes of declarations, as syntax.</summary>
internal static class MemberSyntax
{
    /// <summary>
    /// Gets the node that carries the attributes of the member declared at a node: the whole declaration for a field, the parameter for a property of a
    /// positional record.
    /// </summary>
    public static SyntaxNode? DeclarationAt(SyntaxNode node)
    {
        return node.AncestorsAndSelf().FirstOrDefault(
            static candidate => candidate is PropertyDeclarationSyntax or FieldDeclarationSyntax or ParameterSyntax { Parent.Parent: RecordDeclarationSyntax });
    }

    /// <summary>Finds the syntax of an attribute of a symbol, if it is declared in this tree.</summary>
    public static AttributeSyntax? Find(ISymbol symbol, string attribute, SyntaxTree tree, CancellationToken cancellationToken)
    {
        var reference = symbol.FindAttribute(attribute)?.ApplicationSyntaxReference;
        return reference?.SyntaxTree == tree ? reference.GetSyntax(cancellationToken) as AttributeSyntax : null;
    }

    /// <summary>Creates an attribute whose name is shortened as far as the usings of the file allow.</summary>
    /// <param name="fullName">Full name of its type.</param>
    /// <param name="arguments">Arguments as written; none for an attribute without a list.</param>
    public static AttributeSyntax Attribute(string fullName, params string[] arguments)
    {
        const string suffix = "Attribute";
        var name = SyntaxFactory.ParseName("global::" + fullName.Substring(0, fullName.Length - suffix.Length))
            .WithAdditionalAnnotations(Simplifier.Annotation);
        var list = arguments.Length == 0 ? null : SyntaxFactory.ParseAttributeArgumentList($"({string.Join(", ", arguments)})");
        return SyntaxFactory.Attribute(name, list);
    }

    /// <summary>Adds an attribute to a declaration, on its own line.</summary>
    public static SyntaxNode WithAttribute(SyntaxNode declaration, AttributeSyntax attribute)
    {
        var list = SyntaxFactory.AttributeList(SyntaxFactory.SingletonSeparatedList(attribute)).WithAdditionalAnnotations(Formatter.Annotation);
        if (declaration is ParameterSyntax parameter)
        {
            var target = SyntaxFactory.AttributeTargetSpecifier(SyntaxFactory.Token(SyntaxKind.PropertyKeyword));
            return parameter.WithoutLeadingTrivia().AddAttributeLists(list.WithTarget(target)).WithLeadingTrivia(parameter.GetLeadingTrivia());
        }

        var member = (MemberDeclarationSyntax)declaration;
        var leading = member.GetLeadingTrivia();
        list = list.WithTrailingTrivia(SyntaxFactory.ElasticCarriageReturnLineFeed);
        return member.WithoutLeadingTrivia().WithAttributeLists(member.WithoutLeadingTrivia().AttributeLists.Insert(0, list)).WithLeadingTrivia(leading);
    }

    /// <summary>Sets an argument of an attribute: a named one, or the first one of its constructor.</summary>
    /// <param name="attribute">The attribute.</param>
    /// <param name="name">Null for the first argument of the constructor.</param>
    /// <param name="value">Expression of the value.</param>
    public static AttributeSyntax WithArgument(AttributeSyntax attribute, string? name, string value)
    {
        var expression = SyntaxFactory.ParseExpression(value);
        var list = attribute.ArgumentList ?? SyntaxFactory.AttributeArgumentList();
        var old = list.Arguments.FirstOrDefault(argument => argument.NameEquals?.Name.Identifier.ValueText == name);
        if (old is not null) return attribute.WithArgumentList(list.ReplaceNode(old, old.WithExpression(expression)));
        var added = SyntaxFactory.AttributeArgument(expression);
        list = name is null
            ? list.WithArguments(list.Arguments.Insert(0, added))
            : list.AddArguments(added.WithNameEquals(SyntaxFactory.NameEquals(name)));
        return attribute.WithArgumentList(list.WithAdditionalAnnotations(Formatter.Annotation));
    }
}
