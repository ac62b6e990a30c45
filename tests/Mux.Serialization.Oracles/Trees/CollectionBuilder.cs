using System.Reflection;

namespace Mux.Serialization.Oracles.Trees;

/// <summary>Makes collections of every type, with the items in the order in which they are enumerated.</summary>
internal static class CollectionBuilder
{
    /// <summary>The types of keys and values; null if the type is no map.</summary>
    public static (Type Key, Type Value)? MapOf(Type type)
    {
        var map = type.GetInterfaces().Append(type).FirstOrDefault(static candidate => candidate.IsGenericType && candidate.GetGenericTypeDefinition() == typeof(IReadOnlyDictionary<,>))
            ?? type.GetInterfaces().Append(type).FirstOrDefault(static candidate => candidate.IsGenericType && candidate.GetGenericTypeDefinition() == typeof(IDictionary<,>));
        return map?.GetGenericArguments() is [var key, var value] ? (key, value) : null;
    }

    public static Type ItemOf(Type type) =>
        type.GetInterfaces().Append(type).Single(static candidate => candidate.IsGenericType && candidate.GetGenericTypeDefinition() == typeof(IEnumerable<>)).GetGenericArguments()[0];

    public static object Build(Type type, IEnumerable<object?> items)
    {
        var itemType = ItemOf(type);
        bool isStack = type.Name.Contains("Stack", StringComparison.Ordinal); // what is pushed last comes first
        object?[] ordered = isStack ? [.. items.Reverse()] : [.. items];
        var array = Array.CreateInstance(itemType, ordered.Length);
        for (int i = 0; i < ordered.Length; i++) array.SetValue(ordered[i], i);
        if (type.IsArray) return array;
        var definition = type.IsGenericType ? type.GetGenericTypeDefinition() : null;
        if (type.IsInterface) return Activator.CreateInstance((definition == typeof(ISet<>) ? typeof(HashSet<>) : typeof(List<>)).MakeGenericType(itemType), array)!;
        if (type.Namespace == "System.Collections.Immutable") return Immutable(type, array, itemType);

        // A collection of one's own knows nothing but how to add.
        if (type.GetConstructor([typeof(IEnumerable<>).MakeGenericType(itemType)]) is { } fromItems && !IsList(type)) return fromItems.Invoke([array]);
        var made = Activator.CreateInstance(type)!;
        var add = typeof(ICollection<>).MakeGenericType(itemType).GetMethod("Add")!;
        foreach (var item in array) add.Invoke(made, [item]);
        return made;
    }

    // The constructor of Collection<T> takes the list as its own, and an array does not grow.
    private static bool IsList(Type type) => type.IsAssignableTo(typeof(System.Collections.IList));

    private static object Immutable(Type type, Array items, Type itemType)
    {
        var factory = type.Assembly.GetType($"{type.Namespace}.{type.Name.Split('`')[0]}")!;
        var create = factory.GetMethods(BindingFlags.Public | BindingFlags.Static).First(static method =>
            method.Name == "CreateRange" && method.GetGenericArguments().Length == 1 && method.GetParameters() is [{ ParameterType: { IsGenericType: true } parameter }] && parameter.GetGenericTypeDefinition() == typeof(IEnumerable<>));
        return create.MakeGenericMethod(itemType).Invoke(null, [items])!;
    }
}
