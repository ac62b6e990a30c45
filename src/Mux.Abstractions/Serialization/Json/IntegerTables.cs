using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace Mux.Serialization.Json;

/// <summary>
/// Tells whether objects of a type contain hash tables with integer keys, and of which size. Types that only converters create are not seen.
/// </summary>
internal sealed record IntegerTables(bool HasLongs, bool HasInts)
{
    private static readonly HashSet<Type> s_sets =
        [typeof(HashSet<>), typeof(ISet<>), typeof(IReadOnlySet<>), typeof(ImmutableHashSet<>), typeof(IImmutableSet<>), typeof(FrozenSet<>)];

    /// <summary>True if there are any.</summary>
    public bool Any => HasLongs || HasInts;

    /// <summary>Searches a type and all types that it reaches.</summary>
    public static IntegerTables In(JsonTypeInfo type)
    {
        var keys = new HashSet<Type>();
        Find(type, [], keys);
        return new IntegerTables(keys.Any(IsLong), keys.Any(IsInt));
    }

    private static void Find(JsonTypeInfo type, HashSet<Type> seen, HashSet<Type> keys)
    {
        if (!seen.Add(type.Type)) return;
        if (type.Kind == JsonTypeInfoKind.Dictionary && type.KeyType is { } key) keys.Add(key);
        if (type.Kind == JsonTypeInfoKind.Enumerable && type.ElementType is { } item && IsSet(type.Type)) keys.Add(item);
        var reached = type.Properties.Select(static property => property.PropertyType);
        if (type.ElementType is { } element) reached = reached.Append(element);
        if (type.PolymorphismOptions is { } options) reached = reached.Concat(options.DerivedTypes.Select(static derived => derived.DerivedType));
        foreach (var inner in reached)
        {
            if (TryGet(type.Options, inner) is { } info) Find(info, seen, keys);
        }
    }

    // The context may not know the type of a property that a converter reads, or that is ignored.
    private static JsonTypeInfo? TryGet(JsonSerializerOptions options, Type type)
    {
        options.TryGetTypeInfo(type, out var info);
        return info;
    }

    private static bool IsSet(Type type)
    {
        for (var declaring = type; declaring is not null; declaring = declaring.BaseType)
        {
            if (declaring.IsGenericType && s_sets.Contains(declaring.GetGenericTypeDefinition())) return true;
        }

        return false;
    }

    // for an enum, its underlying type
    private static bool IsLong(Type key) => Type.GetTypeCode(Nullable.GetUnderlyingType(key) ?? key) is TypeCode.Int64 or TypeCode.UInt64;

    private static bool IsInt(Type key) => Type.GetTypeCode(Nullable.GetUnderlyingType(key) ?? key) is TypeCode.Int32 or TypeCode.UInt32;
}
