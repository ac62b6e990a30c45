using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Mux.Generators.Symbols;

/// <summary>Finds attributes by name and reads their arguments.</summary>
internal static class AttributeReading
{
    public static AttributeData? FindAttribute(this ISymbol symbol, string fullName)
    {
        foreach (var attribute in symbol.GetAttributes())
        {
            if (attribute.AttributeClass is { } type && type.HasFullName(fullName)) return attribute;
        }

        return null;
    }

    public static bool HasAttribute(this ISymbol symbol, string fullName) => symbol.FindAttribute(fullName) is not null;

    /// <summary>True for the accessor of a property that has no attribute of its own: messages have two for each member.</summary>
    public static bool IsBareAccessor(this ISymbol symbol)
    {
        if (symbol is not IMethodSymbol { AssociatedSymbol: IPropertySymbol { IsIndexer: false } }) return false;
        return symbol.DeclaringSyntaxReferences.All(static declaration =>
            declaration.GetSyntax() is not AccessorDeclarationSyntax { AttributeLists.Count: > 0 });
    }

    public static string FullName(this AttributeData attribute) => attribute.AttributeClass?.ToFullName() ?? string.Empty;

    /// <summary>Gets a named argument, or the constructor argument of that name in any casing; null if neither was given.</summary>
    public static object? Argument(this AttributeData attribute, string name)
    {
        foreach (var named in attribute.NamedArguments)
        {
            if (named.Key == name) return ValueOf(named.Value);
        }

        var parameters = attribute.AttributeConstructor?.Parameters ?? [];
        for (int i = 0; i < parameters.Length && i < attribute.ConstructorArguments.Length; i++)
        {
            if (string.Equals(parameters[i].Name, name, StringComparison.OrdinalIgnoreCase)) return ValueOf(attribute.ConstructorArguments[i]);
        }

        return null;
    }

    public static bool Flag(this AttributeData attribute, string name) => attribute.Argument(name) is true;

    public static int? Number(this AttributeData attribute, string name) => attribute.Argument(name) as int?;

    private static object? ValueOf(TypedConstant constant) => constant.Kind == TypedConstantKind.Array ? constant.Values : constant.Value;
}
