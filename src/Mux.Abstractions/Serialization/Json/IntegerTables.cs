using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace Mux.Serialization.Json;

/// <summary>
/// Whether objects of a type contain hash tables whose keys are integers, and of which length. What converters make of their types is not seen.
/// </summary>
internal sealed record IntegerTables(bool HasLongs, bool HasInts)
{
    private static readonly HashSet<Type> s_sets =
        [typeof(HashSet<>), typeof(ISet<>), typeof(IReadOnlySet<>), typeof(ImmutableHashSet<>), typeof(IImmutableSet<>), typeof(FrozenSet<>)];

    /// <summary>Whether there are any.</summary>
    public bool Any => HasLongs || HasInts;

    /// <summary>Looks through a type and all that it reaches.</summary>
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

    // A property that a converter reads, or that is ignored, may be of a type that the context does not know.
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

    // of an enum, what is under it
    private static bool IsLong(Type key) => Type.GetTypeCode(Nullable.GetUnderlyingType(key) ?? key) is TypeCode.Int64 or TypeCode.UInt64;

    private static bool IsInt(Type key) => Type.GetTypeCode(Nullable.GetUnderlyingType(key) ?? key) is TypeCode.Int32 or TypeCode.UInt32;
}
