using System.Runtime.Serialization;

namespace Mux.Generators.Tests.Messages;

/// <summary>Generic, and nothing in it is accessible.</summary>
[DataContract]
public sealed class Boxed<T>
    where T : class, new()
{
    [DataMember(Order = 3)]
    private readonly List<T> _items = [];

    public Boxed(T first, int total, params ReadOnlySpan<T> items)
    {
        First = first;
        Count = total;
        _items.AddRange(items);
    }

    private Boxed()
    {
    }

    [DataMember(Order = 1)]
    public T? First { get; private set; }

    [DataMember(Order = 2)]
    public int Count { get; init; }

    public IReadOnlyList<T> Items => _items;

    [OnDeserialized]
    private void Read(StreamingContext context) => WasRead = true;

    public bool WasRead { get; private set; }

    private bool ShouldSerializeCount() => Count != 1;
}
