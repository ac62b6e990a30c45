using System.Collections;
using System.Collections.Immutable;

namespace Mux.Serialization.Oracles.Trees;

/// <summary>Makes maps of every type.</summary>
internal static class MapBuilder
{
    public static object Build(Type type, IEnumerable<(object Key, object? Value)> entries)
    {
        var (key, value) = CollectionBuilder.MapOf(type)!.Value;
        var kind = type is { IsInterface: false } && type.Namespace != "System.Collections.Immutable" ? type : typeof(Dictionary<,>).MakeGenericType(key, value);
        var made = (IDictionary)Activator.CreateInstance(kind)!;
        foreach (var entry in entries) made[entry.Key] = entry.Value;
        if (kind == type || type.IsInterface) return made;
        var toImmutable = typeof(ImmutableDictionary).GetMethods().Single(static method =>
            method.Name == nameof(ImmutableDictionary.CreateRange) && method.GetParameters() is [{ ParameterType.IsGenericType: true }] && method.GetGenericArguments().Length == 2);
        return toImmutable.MakeGenericMethod(key, value).Invoke(null, [made])!;
    }
}
