using Microsoft.CodeAnalysis;
using Mux.Generators.Messages.Models;
using Mux.Generators.Symbols;

namespace Mux.Generators.Messages.Reading;

/// <summary>
/// Recognizes collections and maps in the order of protobuf-net: immutable and concurrent collections, dictionaries, queues, stacks and sets, then any type
/// that can be enumerated in exactly one way. List and arrays are separate containers.
/// </summary>
internal static class CollectionTypes
{
    private const string Generic = "System.Collections.Generic.";
    private const string Immutable = "System.Collections.Immutable.";
    private const string Concurrent = "System.Collections.Concurrent.";

    /// <summary>Gets the collection; null if the type is none, or protobuf-net treats it as something else.</summary>
    public static CollectionType? Of(ITypeSymbol type)
    {
        // Numbers and strings first: they implement dozens of interfaces, all of which would be checked.
        if (type is not INamedTypeSymbol { SpecialType: < SpecialType.System_Boolean or > SpecialType.System_UIntPtr, TypeKind: not TypeKind.Enum } named
            || !UnsupportedTypes.IsEnumerable(named))
        {
            return null;
        }

        if (IsMessage(named) || UnsupportedTypes.IsBytes(named) || ItemOf(named) is not { } item) return null;
        return OfImmutable(named) ?? OfMap(named) ?? OfMutable(named, item);
    }

    // A class with its own fields is meant to be a message; it is rejected where protobuf-net would drop the fields.
    private static bool IsMessage(INamedTypeSymbol type)
    {
        return MessageContract.Of(type) is { } contract && (contract.IgnoresListHandling || type.GetMembers().Any(MessageTypeReader.IsContractMember));
    }

    /// <summary>True if a type would be a collection if it were not a message.</summary>
    public static bool HasItems(INamedTypeSymbol type) => ItemOf(type) is not null;

    // A type that can be enumerated in two ways is not a collection.
    private static ITypeSymbol? ItemOf(INamedTypeSymbol type)
    {
        var found = type.AllInterfaces.Append(type)
            .Where(static candidate => candidate.OriginalDefinition.SpecialType == SpecialType.System_Collections_Generic_IEnumerable_T).ToList();
        return found.Count == 1 ? found[0].TypeArguments[0] : null;
    }

    private static CollectionType? OfImmutable(INamedTypeSymbol type)
    {
        var name = type.ToFullName();
        if (!name.StartsWith(Immutable, StringComparison.Ordinal)) return null;
        var kind = name.Substring(Immutable.Length);
        ItemSource? source = kind switch
        {
            "ImmutableArray" => ItemSource.Span,
            "ImmutableList" or "ImmutableHashSet" or "ImmutableSortedSet" or "ImmutableDictionary" or "ImmutableSortedDictionary" => ItemSource.Counted,
            "ImmutableQueue" or "ImmutableStack" or "IImmutableQueue" or "IImmutableStack" => ItemSource.Uncounted,
            "IImmutableList" or "IImmutableSet" => ItemSource.Held,
            "IImmutableDictionary" => ItemSource.HeldEntries,
            _ => null,
        };
        if (source is not { } known) return null;
        var implementation = kind switch
        {
            "IImmutableSet" => "ImmutableHashSet",
            _ when kind.StartsWith("II", StringComparison.Ordinal) => kind.Substring(1),
            _ => kind,
        };
        var arguments = string.Join(", ", type.TypeArguments.Select(SymbolText.ToCode));
        bool isMap = type.TypeArguments.Length == 2;
        var model = new CollectionModel(
            Target: null, $"global::{Immutable}{implementation}<{arguments}>.Empty", 0, known, IsStack: kind.EndsWith("Stack", StringComparison.Ordinal),
                IsMap: isMap);
        return isMap ? new CollectionType(type.TypeArguments[1], type.TypeArguments[0], model) : new CollectionType(type.TypeArguments[0], null, model);
    }

    private static CollectionType? OfMap(INamedTypeSymbol type)
    {
        var name = type.ToFullName();
        var map = name is Generic + "IReadOnlyDictionary" ? type : Implemented(type, Generic + "IDictionary");
        if (map is not { TypeArguments.Length: 2 }) return null;
        var (key, value) = (map.TypeArguments[0], map.TypeArguments[1]);
        if (type.TypeKind == TypeKind.Interface)
        {
            var empty = $"new global::{Generic}Dictionary<{key.ToCode()}, {value.ToCode()}>()";
            bool isKnown = name is Generic + "IReadOnlyDictionary" or Generic + "IDictionary";
            return isKnown ? new CollectionType(
                value, key, new CollectionModel(null, empty, ObjectSizes.Table, ItemSource.HeldEntries, IsInterface: true, IsMap: true)) : Other(value, key);
        }

        var table = Derived(type, Generic + "Dictionary");
        bool isPlain = name is Generic + "Dictionary" or Generic + "SortedDictionary" or Generic + "SortedList";
        int size = table is not null ? ObjectSizes.Table : Derived(type, Concurrent + "ConcurrentDictionary") is not null ? ObjectSizes.ConcurrentTable
            : ObjectSizes.List;
        return Class(type, value, key, (table ?? map).ToBareCode(), size, isPlain ? ItemSource.Counted : ItemSource.HeldEntries, isMap: true, isTable: true);
    }

    private static CollectionType OfMutable(INamedTypeSymbol type, ITypeSymbol item)
    {
        var name = type.ToFullName();
        if (type.TypeKind == TypeKind.Interface)
        {
            bool isSet = name is Generic + "ISet" or Generic + "IReadOnlySet";
            bool isKnown = isSet || name is Generic + "IEnumerable" or Generic + "ICollection" or Generic + "IList" or Generic + "IReadOnlyCollection"
                or Generic + "IReadOnlyList";
            var empty = $"new global::{Generic}{(isSet ? "HashSet" : "List")}<{item.ToCode()}>()";
            return isKnown ? new CollectionType(item, null,
                new CollectionModel(null, empty, isSet ? ObjectSizes.Table : ObjectSizes.List, ItemSource.Held, IsInterface: true)) : Other(item, null);
        }

        foreach (var kind in (string[])["ConcurrentBag", "ConcurrentQueue", "ConcurrentStack"])
        {
            if (Derived(type, Concurrent + kind) is { } concurrent)
                return Class(type, item, null, concurrent.ToBareCode(), kind == "ConcurrentStack" ? ObjectSizes.List
                    : ObjectSizes.Concurrent, ItemSource.Held, isStack: kind == "ConcurrentStack");
        }

        if (Derived(type, Generic + "List") is { } list) return Class(type, item, null, list.ToBareCode(), ObjectSizes.List, ItemSource.List);
        bool isCounted = name is Generic + "HashSet" or Generic + "SortedSet" or Generic + "LinkedList" or Generic + "Queue" or Generic + "Stack";
        var source = isCounted ? ItemSource.Counted : ItemSource.Held;
        if (Derived(type, Generic + "Queue") is { } queue) return Class(type, item, null, queue.ToBareCode(), ObjectSizes.List, source);
        if (Derived(type, Generic + "Stack") is { } stack) return Class(type, item, null, stack.ToBareCode(), ObjectSizes.List, source, isStack: true);
        if (Derived(type, Generic + "HashSet") is { } set) return Class(type, item, null, set.ToBareCode(), ObjectSizes.Table, source, isTable: true);
        if (Implemented(type, Generic + "ICollection") is { } collection)
        {
            return Class(type, item, null, collection.ToBareCode(), ObjectSizes.List, source, isTable: true);
        }

        return new CollectionType(item, null, null, "a collection must implement ICollection<T>: items cannot be added to others");
    }

    private static CollectionType Class(
        INamedTypeSymbol type, ITypeSymbol item, ITypeSymbol? key, string target, int size, ItemSource source, bool isStack = false, bool isMap = false,
            bool isTable = false)
    {
        var problem = type switch
        {
            { TypeKind: not TypeKind.Class } => "your own collection type must be a class",
            { IsAbstract: true } => "it is abstract, so no object can be created",
            _ when ReadOnlyProblem(type) is { } readOnly => readOnly,
            _ when !type.InstanceConstructors.Any(static constructor =>
                constructor is { Parameters.IsEmpty: true, DeclaredAccessibility: Accessibility.Public }) => "it has no public constructor without parameters",
            _ when ConstructionReader.HasRequiredMembers(type) => "it has required members, which generated code does not set",
            _ => null,
        };
        if (problem is not null) return new CollectionType(item, key, null, problem);
        return new CollectionType(
            item, key, new CollectionModel(target, $"new {type.ToBareCode()}()", size, source, IsStack: isStack, IsMap: isMap, IsTable: isTable));
    }

    private static string? ReadOnlyProblem(INamedTypeSymbol type)
    {
        bool isReadOnly = type.ToFullName() is "System.Collections.ObjectModel.ReadOnlyCollection" or "System.Collections.ObjectModel.ReadOnlyDictionary"
            or "System.Collections.ObjectModel.ReadOnlyObservableCollection" or "System.Collections.ObjectModel.ReadOnlySet"
            or "System.Collections.Frozen.FrozenSet" or "System.Collections.Frozen.FrozenDictionary";
        return isReadOnly ? "items cannot be added to it: declare the interface, such as IReadOnlyList<T> or IReadOnlyDictionary<TKey, TValue>" : null;
    }

    private static CollectionType Other(ITypeSymbol item, ITypeSymbol? key) =>
        new(item, key, null, "the class that implements the interface is not known: declare a class or one of the interfaces of .NET");

    private static INamedTypeSymbol? Implemented(INamedTypeSymbol type, string name) =>
        type.AllInterfaces.Append(type).FirstOrDefault(candidate => candidate.ToFullName() == name);

    private static INamedTypeSymbol? Derived(INamedTypeSymbol type, string name)
    {
        for (var declaring = type; declaring is not null; declaring = declaring.BaseType)
        {
            if (declaring.ToFullName() == name) return declaring;
        }

        return null;
    }
}
