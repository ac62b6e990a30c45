using Microsoft.CodeAnalysis;

namespace Mux.Generators.Symbols;

/// <summary>Walks up the classes of a message.</summary>
internal static class TypeBases
{
    /// <summary>
    /// Gets the base class; null if it is a root of the framework, such as object. The roots have nothing that a message could have, and every message has one.
    /// </summary>
    public static INamedTypeSymbol? OwnBase(this INamedTypeSymbol type) =>
        type.BaseType is { SpecialType: not (SpecialType.System_Object or SpecialType.System_ValueType) } parent ? parent : null;
}
