using Microsoft.CodeAnalysis;

namespace Mux.Generators.Reading;

/// <summary>Why common types are refused, and what to use instead. Whatever is not named here is simply no message.</summary>
internal static class UnsupportedTypes
{
    private const string Dates = "dates, times, Guid and decimal are not supported yet, use a number or a string";

    /// <summary>The reason, or null if there is no particular one.</summary>
    public static string? ReasonFor(ITypeSymbol type) => type switch
    {
        IArrayTypeSymbol => "only arrays of one dimension are supported, and a list inside a list needs a message around it",
        ITypeParameterSymbol => "a type parameter is not a type that can be sent",
        IDynamicTypeSymbol or { SpecialType: SpecialType.System_Object } => "the type of a value is not sent, so it must be declared",
        IPointerTypeSymbol or IFunctionPointerTypeSymbol => "pointers mean nothing elsewhere",
        { IsRefLikeType: true } => "a ref struct cannot be kept",
        { TypeKind: TypeKind.Delegate } => "code cannot be sent",
        { SpecialType: SpecialType.System_Decimal or SpecialType.System_DateTime } => Dates,
        INamedTypeSymbol named => ReasonFor(named),
        _ => null,
    };

    /// <summary>The same for an item of a list.</summary>
    public static string? ReasonForItem(ITypeSymbol item)
    {
        if (item is IArrayTypeSymbol { IsSZArray: true, ElementType.SpecialType: SpecialType.System_Byte }) return null;
        if (item is IArrayTypeSymbol || IsList(item)) return "a list inside a list needs a message around it";
        bool isNullable = item.OriginalDefinition.SpecialType == SpecialType.System_Nullable_T;
        return isNullable ? "protobuf cannot express null in a list, use items that are not nullable" : null;
    }

    /// <summary>Whether protobuf-net would treat the type as a list, whatever its attributes say.</summary>
    public static bool IsEnumerable(INamedTypeSymbol type)
    {
        return type.AllInterfaces.Append(type).Any(static candidate => candidate.SpecialType == SpecialType.System_Collections_IEnumerable);
    }

    private static string? ReasonFor(INamedTypeSymbol type)
    {
        if (type.IsTupleType) return "tuples are not supported yet, use a message";
        switch (type.ToFullName())
        {
            case "System.Guid" or "System.TimeSpan" or "System.DateTimeOffset" or "System.DateOnly" or "System.TimeOnly":
                return Dates;
            case "System.Memory" or "System.ReadOnlyMemory" or "System.ArraySegment":
                return "only byte[] is supported for bytes";
            case "System.Uri" or "System.Version":
                return "use a string";
            case "System.Half" or "System.Int128" or "System.UInt128":
                return "protobuf has no number of this size";
            case WellKnownNames.AsyncEnumerable:
                return "streams are not supported yet";
        }

        if (IsMap(type)) return "maps are not supported yet, use a list of a message with key and value";
        if (IsEnumerable(type)) return "of collections List<T> and arrays are supported";
        return null;
    }

    private static bool IsList(ITypeSymbol type) => type is INamedTypeSymbol named && named.ToFullName() == WellKnownNames.List;

    private static bool IsMap(INamedTypeSymbol type)
    {
        return type.AllInterfaces.Append(type).Any(static candidate => candidate.ToFullName()
            is "System.Collections.Generic.IDictionary" or "System.Collections.Generic.IReadOnlyDictionary");
    }
}
