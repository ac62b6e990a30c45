using System.Text;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Mux.Generators.Reading;

/// <summary>The names of symbols in the forms that generated code, errors and generated identifiers need.</summary>
internal static class SymbolText
{
    private static readonly SymbolDisplayFormat s_code = SymbolDisplayFormat.FullyQualifiedFormat.WithMiscellaneousOptions(
        SymbolDisplayMiscellaneousOptions.EscapeKeywordIdentifiers | SymbolDisplayMiscellaneousOptions.UseSpecialTypes
        | SymbolDisplayMiscellaneousOptions.IncludeNullableReferenceTypeModifier);

    private static readonly SymbolDisplayFormat s_identity = SymbolDisplayFormat.FullyQualifiedFormat.WithMiscellaneousOptions(
        SymbolDisplayMiscellaneousOptions.EscapeKeywordIdentifiers | SymbolDisplayMiscellaneousOptions.UseSpecialTypes);

    private static readonly SymbolDisplayFormat s_display = SymbolDisplayFormat.CSharpErrorMessageFormat
        .WithMiscellaneousOptions(SymbolDisplayMiscellaneousOptions.UseSpecialTypes)
        .WithMemberOptions(SymbolDisplayMemberOptions.IncludeContainingType | SymbolDisplayMemberOptions.IncludeParameters)
        .WithParameterOptions(SymbolDisplayParameterOptions.IncludeParamsRefOut | SymbolDisplayParameterOptions.IncludeType);

    /// <summary>As generated code writes a type, with nullable annotations.</summary>
    public static string ToCode(this ITypeSymbol type) => type.ToDisplayString(s_code);

    /// <summary>As generated code writes a type that is not null, whatever the declaration says.</summary>
    public static string ToBareCode(this ITypeSymbol type) => type.WithNullableAnnotation(NullableAnnotation.NotAnnotated).ToDisplayString(s_code);

    /// <summary>As generated code writes a name: with an @ if it is a keyword.</summary>
    public static string Escape(string name)
    {
        bool isKeyword = SyntaxFacts.GetKeywordKind(name) != SyntaxKind.None || SyntaxFacts.GetContextualKeywordKind(name) != SyntaxKind.None;
        return isKeyword ? "@" + name : name;
    }

    /// <summary>As generated code writes a type, without nullable annotations, so that the same type has one name.</summary>
    public static string ToIdentity(this ITypeSymbol type) => type.ToDisplayString(s_identity);

    /// <summary>As people write a type or member: <c>Hr.Employee.LastName</c>.</summary>
    public static string ToDisplay(this ISymbol symbol) => symbol.ToDisplayString(s_display);

    /// <summary>The full name of a type without its type arguments: <c>System.Collections.Generic.List</c>.</summary>
    public static string ToFullName(this INamedTypeSymbol type)
    {
        var outer = type.ContainingType is { } container ? container.ToFullName() : NameOf(type.ContainingNamespace);
        return outer is null ? type.Name : outer + "." + type.Name;
    }

    /// <summary>
    /// A C# identifier that no other type of the compilation gets: names joined by '_', which is doubled where it stood before. Of a
    /// constructed type the arguments are represented by a hash.
    /// </summary>
    public static string ToIdentifier(this ITypeSymbol type)
    {
        if (type is not INamedTypeSymbol { IsGenericType: false } named) return Shorten(type) + "_" + Hash(type.ToIdentity());
        return named.ToFullName().Replace("_", "__").Replace('.', '_');
    }

    /// <summary>The same for plain text such as the name of an assembly, where uniqueness does not matter.</summary>
    public static string ToIdentifier(string text)
    {
        var name = new StringBuilder(text.Length + 1);
        foreach (char c in text) name.Append(char.IsLetterOrDigit(c) ? c : '_');
        if (name.Length == 0 || char.IsDigit(name[0])) name.Insert(0, '_');
        return name.ToString();
    }

    private static string? NameOf(INamespaceSymbol? space)
    {
        if (space is null or { IsGlobalNamespace: true }) return null;
        return NameOf(space.ContainingNamespace) is { } outer ? outer + "." + space.Name : space.Name;
    }

    private static string Shorten(ITypeSymbol type) => type switch
    {
        IArrayTypeSymbol array => Shorten(array.ElementType) + "Array",
        INamedTypeSymbol { TypeArguments.Length: > 0 } named => named.Name + string.Concat(named.TypeArguments.Select(Shorten)),
        _ => type.Name,
    };

    // FNV-1a: the same in every process, unlike GetHashCode.
    private static string Hash(string text)
    {
        uint hash = 2166136261;
        foreach (char c in text) hash = unchecked((hash ^ c) * 16777619);
        return hash.ToString("x8", System.Globalization.CultureInfo.InvariantCulture);
    }
}
