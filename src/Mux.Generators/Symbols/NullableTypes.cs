using Microsoft.CodeAnalysis;

namespace Mux.Generators.Symbols;

/// <summary>Nullable value types.</summary>
internal static class NullableTypes
{
    /// <summary>Gets <c>T</c> for <c>T?</c> of a value type, and any other type as it is.</summary>
    public static ITypeSymbol WithoutNullable(this ITypeSymbol type) =>
        type is INamedTypeSymbol { OriginalDefinition.SpecialType: SpecialType.System_Nullable_T } nullable ? nullable.TypeArguments[0] : type;
}
