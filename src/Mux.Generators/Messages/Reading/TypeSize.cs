using Microsoft.CodeAnalysis;
using Mux.Generators.Symbols;

namespace Mux.Generators.Messages.Reading;

/// <summary>Approximate memory of objects, which decoding charges. Ignores padding and fields that cannot be seen.</summary>
internal static class TypeSize
{
    private const int Header = 16;
    private const int Reference = 8;
    private const int SmallestObject = 24;

    // The runtime rejects a larger struct of repeated fields.
    private const int MaxInline = 1 << 20;

    // Structs cannot contain themselves, but sources in the middle of an edit can declare it, even several times in each.
    private const int MaxDepth = 8;
    private const int MaxFields = 10_000;

    /// <summary>Gets the size of an object or a struct in bytes.</summary>
    /// <param name="type">The type.</param>
    /// <param name="preset">Bytes of the objects that the initializers of a class create.</param>
    public static int Of(INamedTypeSymbol type, int preset)
    {
        if (type.IsValueType) return OfSlot(type);
        int size = Header + preset, left = MaxFields;
        for (var declaring = type; declaring is { SpecialType: not SpecialType.System_Object }; declaring = declaring.BaseType)
            size += OfFields(declaring, 0, ref left);
        return Math.Max(SmallestObject, RoundUp(size));
    }

    /// <summary>Gets the size of a variable in bytes.</summary>
    public static int OfSlot(ITypeSymbol type)
    {
        int left = MaxFields;
        return OfSlot(type, 0, ref left);
    }

    private static int OfSlot(ITypeSymbol type, int depth, ref int left) => type.SpecialType switch
    {
        SpecialType.System_Boolean or SpecialType.System_Byte or SpecialType.System_SByte => 1,
        SpecialType.System_Char or SpecialType.System_Int16 or SpecialType.System_UInt16 => 2,
        SpecialType.System_Int32 or SpecialType.System_UInt32 or SpecialType.System_Single => 4,
        SpecialType.System_Decimal => 16,
        not SpecialType.None when type.IsValueType => 8,
        _ when type is INamedTypeSymbol { EnumUnderlyingType: { } underlying } => OfSlot(underlying, depth, ref left),
        _ when type is INamedTypeSymbol { IsValueType: true } value && depth < MaxDepth && left > 0 => OfStruct(value, depth, ref left),
        _ => Reference,
    };

    private static int OfStruct(INamedTypeSymbol type, int depth, ref int left)
    {
        if (type.OriginalDefinition.SpecialType == SpecialType.System_Nullable_T) return 2 * OfSlot(type.TypeArguments[0], depth + 1, ref left);
        return type.ToFullName() is "System.Guid" or "System.DateTimeOffset" ? 16
            : Repeat(Math.Max(1, OfFields(type, depth + 1, ref left)), type.FindAttribute(WellKnownNames.InlineArray)?.Number("length") ?? 1);
    }

    private static int Repeat(int size, int count) => (int)Math.Min((long)size * Math.Max(1, count), MaxInline);

    // Fields of types in other assemblies are hidden, but their properties are not.
    private static int OfFields(INamedTypeSymbol type, int depth, ref int left)
    {
        bool isSource = type.Locations.Any(static location => location.IsInSource);
        int size = 0;
        foreach (var member in type.GetMembers())
        {
            left--;
            size += member switch
            {
                { IsStatic: true } => 0,
                IFieldSymbol { IsFixedSizeBuffer: true, Type: IPointerTypeSymbol pointer } buffer =>
                    Repeat(OfSlot(pointer.PointedAtType, depth, ref left), buffer.FixedSize),
                IFieldSymbol field => OfSlot(field.Type, depth, ref left),
                IPropertySymbol { IsIndexer: false } property when !isSource => OfSlot(property.Type, depth, ref left),
                _ => 0,
            };
        }

        return size;
    }

    private static int RoundUp(int size) => (size + Reference - 1) / Reference * Reference;
}
