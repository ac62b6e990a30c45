using System.Runtime.CompilerServices;
using System.Text;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Mux.Generators.Symbols;

/// <summary>
/// Names of symbols in the forms that generated code, errors and generated identifiers need. Tuples are written by their type, because element names do not
/// make another type.
/// </summary>
internal static class SymbolText
{
    private static readonly SymbolDisplayFormat s_code = SymbolDisplayFormat.FullyQualifiedFormat.WithMiscellaneousOptions(
        SymbolDisplayMiscellaneousOptions.EscapeKeywordIdentifiers | SymbolDisplayMiscellaneousOptions.UseSpecialTypes
        | SymbolDisplayMiscellaneousOptions.IncludeNullableReferenceTypeModifier | SymbolDisplayMiscellaneousOptions.ExpandValueTuple);

    private static readonly SymbolDisplayFormat s_identity = SymbolDisplayFormat.FullyQualifiedFormat.WithMiscellaneousOptions(
        SymbolDisplayMiscellaneousOptions.EscapeKeywordIdentifiers | SymbolDisplayMiscellaneousOptions.UseSpecialTypes
        | SymbolDisplayMiscellaneousOptions.ExpandValueTuple);

    private static readonly SymbolDisplayFormat s_display = SymbolDisplayFormat.CSharpErrorMessageFormat
        .WithMiscellaneousOptions(SymbolDisplayMiscellaneousOptions.UseSpecialTypes | SymbolDisplayMiscellaneousOptions.ExpandValueTuple)
        .WithMemberOptions(SymbolDisplayMemberOptions.IncludeContainingType | SymbolDisplayMemberOptions.IncludeParameters)
        .WithParameterOptions(SymbolDisplayParameterOptions.IncludeParamsRefOut | SymbolDisplayParameterOptions.IncludeType);

    private static readonly SymbolDisplayFormat s_definition = s_code.WithGenericsOptions(SymbolDisplayGenericsOptions.None);

    // Names of types that are not generic, and of definitions. Entries are released with their compilation.
    private static readonly ConditionalWeakTable<ITypeSymbol, string> s_codes = new();
    private static readonly ConditionalWeakTable<ITypeSymbol, string> s_definitions = new();
    private static readonly ConditionalWeakTable<ITypeSymbol, string> s_displays = new();
    private static readonly ConditionalWeakTable<ITypeSymbol, string> s_fullNames = new();
    private static readonly ConditionalWeakTable<ITypeSymbol, string> s_identifiers = new();

    /// <summary>Formats a type for generated code, with nullable annotations.</summary>
    public static string ToCode(this ITypeSymbol type)
    {
        bool isAnnotated = type is { IsReferenceType: true, NullableAnnotation: NullableAnnotation.Annotated };
        var text = type is INamedTypeSymbol { IsGenericType: false } plain ? Known(s_codes, plain, s_code) : Compose(type);
        if (text is null) return type.ToDisplayString(s_code);
        return isAnnotated ? text + "?" : text;
    }

    /// <summary>Formats a type for generated code as not null, whatever its declaration says.</summary>
    public static string ToBareCode(this ITypeSymbol type) => type is INamedTypeSymbol { IsGenericType: false } plain
        ? Known(s_codes, plain, s_code)
        : Compose(type) ?? type.WithNullableAnnotation(NullableAnnotation.NotAnnotated).ToDisplayString(s_code);

    /// <summary>Formats a name for generated code: with an @ if it is a keyword.</summary>
    public static string Escape(string name)
    {
        bool isKeyword = SyntaxFacts.GetKeywordKind(name) != SyntaxKind.None || SyntaxFacts.GetContextualKeywordKind(name) != SyntaxKind.None;
        return isKeyword ? "@" + name : name;
    }

    /// <summary>Formats a type for generated code without nullable annotations, so that each type has one name.</summary>
    public static string ToIdentity(this ITypeSymbol type) =>
        type is INamedTypeSymbol { IsGenericType: false } ? type.ToBareCode() : type.ToDisplayString(s_identity);

    /// <summary>Formats a type or member for messages: <c>Hr.Employee.LastName</c>.</summary>
    public static string ToDisplay(this ISymbol symbol) =>
        symbol is INamedTypeSymbol { IsGenericType: false } plain ? Known(s_displays, plain, s_display) : symbol.ToDisplayString(s_display);

    /// <summary>Gets the full name of a type without its type arguments: <c>System.Collections.Generic.List</c>.</summary>
    public static string ToFullName(this INamedTypeSymbol type)
    {
        var definition = type.OriginalDefinition;
        if (s_fullNames.TryGetValue(definition, out var name)) return name;
        var outer = type.ContainingType is { } container ? container.ToFullName() : NameOf(type.ContainingNamespace);
        return s_fullNames.GetValue(definition, symbol => outer is null ? symbol.Name : outer + "." + symbol.Name);
    }

    /// <summary>True if a type has this full name. Does not build the name: members have many attributes, each of which is compared with many names.</summary>
    public static bool HasFullName(this INamedTypeSymbol type, string fullName)
    {
        int length = fullName.Length;
        for (ISymbol? symbol = type; symbol is INamedTypeSymbol or INamespaceSymbol { IsGlobalNamespace: false }; symbol = symbol.ContainingSymbol)
        {
            if (length < fullName.Length && (length == 0 || fullName[--length] != '.')) return false;
            var name = symbol.Name;
            length -= name.Length;
            if (length < 0 || string.CompareOrdinal(fullName, length, name, 0, name.Length) != 0) return false;
        }

        return length == 0;
    }

    /// <summary>
    /// Creates a C# identifier that is unique in the compilation: names joined by '_', with every '_' in a name doubled. If a name begins or ends with '_', the
    /// lengths of all names come first, because the joints are ambiguous. The arguments of a constructed type are represented by a hash.
    /// </summary>
    public static string ToIdentifier(this ITypeSymbol type)
    {
        if (type is not INamedTypeSymbol { IsGenericType: false } named) return Shorten(type) + "_" + Hash(type.ToIdentity());
        var definition = named.OriginalDefinition;
        return s_identifiers.TryGetValue(definition, out var identifier) ? identifier
            : s_identifiers.GetValue(definition, static symbol => Identify((INamedTypeSymbol)symbol));
    }

    /// <summary>Creates an identifier for plain text, such as the name of an assembly, which need not be unique.</summary>
    public static string ToIdentifier(string text)
    {
        var name = new StringBuilder(text.Length + 1);
        foreach (char c in text) name.Append(char.IsLetterOrDigit(c) ? c : '_');
        if (name.Length == 0 || char.IsDigit(name[0])) name.Insert(0, '_');
        return name.ToString();
    }

    private static string Identify(INamedTypeSymbol type)
    {
        var fullName = type.ToFullName();
        var names = fullName.Split('.');
        var lengths = names.Any(static name => name[0] == '_' || name[name.Length - 1] == '_')
            ? string.Concat(names.Select(static name => $"_{name.Length}")) + "_" : string.Empty;
        return lengths + fullName.Replace("_", "__").Replace('.', '_');
    }

    // Without annotations there is one symbol per type. Formatting it takes longer than everything else.
    private static string Known(ConditionalWeakTable<ITypeSymbol, string> known, INamedTypeSymbol type, SymbolDisplayFormat format)
    {
        var bare = type.IsValueType ? type : type.WithNullableAnnotation(NullableAnnotation.None);
        return known.TryGetValue(bare, out var text) ? text : known.GetValue(bare, symbol => symbol.ToDisplayString(format));
    }

    // Constructed types have a symbol for each place where they are mentioned, and the compiler formats each anew. Null for what it has to format.
    private static string? Compose(ITypeSymbol type) => type switch
    {
        IArrayTypeSymbol { IsSZArray: true, ElementType: not IArrayTypeSymbol } array => array.ElementType.ToCode() + "[]",
        INamedTypeSymbol { OriginalDefinition.SpecialType: SpecialType.System_Nullable_T } nullable => nullable.TypeArguments[0].ToCode() + "?",
        INamedTypeSymbol { IsGenericType: true, IsUnboundGenericType: false, IsTupleType: false, ContainingType: null, TypeKind: not TypeKind.Error } generic =>
            $"{Known(s_definitions, generic.OriginalDefinition, s_definition)}<{string.Join(", ", generic.TypeArguments.Select(ToCode))}>",
        _ => null,
    };

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
    internal static string Hash(string text)
    {
        uint hash = 2166136261;
        foreach (char c in text) hash = unchecked((hash ^ c) * 16777619);
        return hash.ToString("x8", System.Globalization.CultureInfo.InvariantCulture);
    }
}
