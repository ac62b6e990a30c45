using System.Collections.Concurrent;
using System.Collections.Immutable;
using System.Collections.ObjectModel;
using ProtoBuf;

namespace Mux.Serialization.Oracles.Contracts;

/// <summary>Collections that keep the order of their items, or have one of their own.</summary>
[ProtoContract]
public sealed class Collections
{
    [ProtoMember(1)]
    public HashSet<int>? Set { get; set; }

    [ProtoMember(2)]
    public SortedSet<long>? SortedSet { get; set; }

    [ProtoMember(3)]
    public ISet<int>? SetInterface { get; set; }

    [ProtoMember(4)]
    public IReadOnlyList<string>? ReadOnlyList { get; set; }

    [ProtoMember(5)]
    public ICollection<Leaf>? CollectionInterface { get; set; }

    [ProtoMember(6)]
    public IEnumerable<int>? Enumerable { get; set; }

    [ProtoMember(7, DataFormat = DataFormat.ZigZag)]
    public Queue<int>? Queue { get; set; }

    [ProtoMember(8)]
    public LinkedList<string>? LinkedList { get; set; }

    [ProtoMember(9)]
    public IReadOnlyCollection<long>? ReadOnlyCollection { get; set; }

    [ProtoMember(10)]
    public IList<double>? ListInterface { get; set; }

    [ProtoMember(11)]
    public ImmutableArray<int> ImmutableArray { get; set; }

    [ProtoMember(12)]
    public ImmutableList<string>? ImmutableList { get; set; }

    [ProtoMember(13)]
    public ImmutableHashSet<int>? ImmutableHashSet { get; set; }

    [ProtoMember(14)]
    public ImmutableSortedSet<long>? ImmutableSortedSet { get; set; }

    [ProtoMember(15)]
    public ImmutableQueue<int>? ImmutableQueue { get; set; }

    [ProtoMember(16)]
    public ConcurrentQueue<int>? ConcurrentQueue { get; set; }

    [ProtoMember(17)]
    public ObservableCollection<byte[]>? Observable { get; set; }

    [ProtoMember(18)]
    public List<int?>? MaybeNumbers { get; set; }

    [ProtoMember(19, IsPacked = true)]
    public HashSet<uint>? PackedSet { get; set; }

    [ProtoMember(20, IsPacked = true)]
    public Collection<float>? PackedCollection { get; set; }

    [ProtoMember(21, IsPacked = true)]
    public LinkedList<Level>? PackedLevels { get; set; }

    [ProtoMember(22)]
    public NumberList? Derived { get; set; }

    [ProtoMember(23)]
    public NumberCollection? Own { get; set; }
}
