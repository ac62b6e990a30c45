namespace Mux.Generators.Tests.Containers;

/// <summary>A type of collection that contracts declare.</summary>
/// <param name="Name">For C# identifiers.</param>
/// <param name="Type">The C# type; T is that of the items.</param>
/// <param name="Of">C# for one with the items of <c>items</c>, a <c>T[]</c>, in their order.</param>
/// <param name="Made">The C# type of what stands in a member that held null, if it is not the declared one.</param>
/// <param name="Form">What is particular about it.</param>
public sealed record CollectionKind(string Name, string Type, string Of, string? Made = null, CollectionForm Form = CollectionForm.List)
{
    private const string New = "new TYPE(items)";

    public static IReadOnlyList<CollectionKind> All { get; } =
    [
        new("List", "List<T>", New),
        new("Array", "T[]", "items.ToArray()"),
        new("Derived", "Numbers<T>", "new TYPE().With(items)"),
        new("Collection", "Collection<T>", "new TYPE(items.ToList())"),
        new("Observable", "ObservableCollection<T>", New),
        new("Own", "Own<T>", "new TYPE().With(items)"),
        new("IEnumerable", "IEnumerable<T>", "Each.Of(items)", "List<T>"),
        new("ICollection", "ICollection<T>", "new List<T>(items)", "List<T>"),
        new("IList", "IList<T>", "new Collection<T>(items)", "List<T>"),
        new("IReadOnlyList", "IReadOnlyList<T>", "items.ToArray()", "List<T>"),
        new("IReadOnlyCollection", "IReadOnlyCollection<T>", "new Queue<T>(items)", "List<T>"),
        new("HashSet", "HashSet<T>", New, Form: CollectionForm.Set),
        new("DerivedSet", "OwnSet<T>", "new TYPE().With(items)", Form: CollectionForm.Set),
        new("ISet", "ISet<T>", "new HashSet<T>(items)", "HashSet<T>", CollectionForm.Set),
        new("IReadOnlySet", "IReadOnlySet<T>", "new HashSet<T>(items)", "HashSet<T>", CollectionForm.Set),
        new("SortedSet", "SortedSet<T>", New, Form: CollectionForm.Sorted),
        new("LinkedList", "LinkedList<T>", New),
        new("Queue", "Queue<T>", New),
        new("DerivedQueue", "OwnQueue<T>", "new TYPE().With(items)"),
        new("Stack", "Stack<T>", "new TYPE(items.Reverse())", Form: CollectionForm.Stack),
        new("ConcurrentQueue", "ConcurrentQueue<T>", New),
        new("ConcurrentStack", "ConcurrentStack<T>", "new TYPE(items.Reverse())", Form: CollectionForm.Stack),
        new("ConcurrentBag", "ConcurrentBag<T>", "new TYPE(items.Reverse())", Form: CollectionForm.Bag),
        new("ImmutableArray", "ImmutableArray<T>", "items.ToImmutableArray()", Form: CollectionForm.Struct),
        new("ImmutableList", "ImmutableList<T>", "items.ToImmutableList()"),
        new("IImmutableList", "IImmutableList<T>", "items.ToImmutableList()", "ImmutableList<T>"),
        new("ImmutableHashSet", "ImmutableHashSet<T>", "items.ToImmutableHashSet()", Form: CollectionForm.Hashed),
        new("IImmutableSet", "IImmutableSet<T>", "items.ToImmutableHashSet()", "ImmutableHashSet<T>", CollectionForm.Hashed),
        new("ImmutableSortedSet", "ImmutableSortedSet<T>", "items.ToImmutableSortedSet()", Form: CollectionForm.Sorted),
        new("ImmutableQueue", "ImmutableQueue<T>", "ImmutableQueue.CreateRange(items)", Form: CollectionForm.Uncounted),
        new("IImmutableQueue", "IImmutableQueue<T>", "ImmutableQueue.CreateRange(items)", "ImmutableQueue<T>", CollectionForm.Uncounted),
        new("ImmutableStack", "ImmutableStack<T>", "ImmutableStack.CreateRange(items.Reverse())", Form: CollectionForm.ImmutableStack),
        new("IImmutableStack", "IImmutableStack<T>", "ImmutableStack.CreateRange(items.Reverse())", "ImmutableStack<T>", CollectionForm.ImmutableStack),
    ];

    /// <summary>Classes of users.</summary>
    public static string Classes => """
        public class Numbers<T> : List<T> { public new void Add(T item) => throw new NotSupportedException("hidden"); public Numbers<T> With(T[] items) { AddRange(items); return this; } }
        public static class Each { public static IEnumerable<T> Of<T>(T[] items) { foreach (var item in items) yield return item; } }
        public class OwnSet<T> : HashSet<T> { public OwnSet<T> With(T[] items) { UnionWith(items); return this; } }
        public class OwnQueue<T> : Queue<T> { public OwnQueue<T> With(T[] items) { foreach (var item in items) Enqueue(item); return this; } }
        public class Own<T> : ICollection<T>
        {
            private readonly List<T> _items = new();
            public Own<T> With(T[] items) { _items.AddRange(items); return this; }
            int ICollection<T>.Count => _items.Count; bool ICollection<T>.IsReadOnly => false;
            void ICollection<T>.Add(T item) => _items.Add(item); void ICollection<T>.Clear() => _items.Clear();
            bool ICollection<T>.Contains(T item) => _items.Contains(item); bool ICollection<T>.Remove(T item) => _items.Remove(item);
            void ICollection<T>.CopyTo(T[] array, int index) => throw new NotSupportedException();
            IEnumerator<T> IEnumerable<T>.GetEnumerator() => _items.GetEnumerator();
            System.Collections.IEnumerator System.Collections.IEnumerable.GetEnumerator() => _items.GetEnumerator();
        }

        """;

    public bool IsImmutable => Form is CollectionForm.Struct or CollectionForm.Hashed or CollectionForm.Uncounted or CollectionForm.ImmutableStack || Name.Contains("Immutable", StringComparison.Ordinal);

    public string TypeOf(string item) => Type.Replace("<T>", $"<{item}>", StringComparison.Ordinal).Replace("T[]", item + "[]", StringComparison.Ordinal);

    public string MadeOf(string item) => (Made ?? Type).Replace("<T>", $"<{item}>", StringComparison.Ordinal).Replace("T[]", item + "[]", StringComparison.Ordinal);

    /// <summary>C# for a collection of items that are written in C#.</summary>
    public string Value(string item, string items)
    {
        var made = Of.Replace("TYPE", TypeOf(item), StringComparison.Ordinal).Replace("<T>", $"<{item}>", StringComparison.Ordinal);
        return $"((Func<{item}[], {TypeOf(item)}>)(items => {made}))(new {item}[] {{ {items} }})";
    }

    public override string ToString() => Name;
}
