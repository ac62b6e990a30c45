using System.Collections.Concurrent;
using System.Collections.Immutable;
using ProtoBuf;

namespace Mux.Generators.Tests.Messages;

/// <summary>Whatever makes much memory of few bytes.</summary>
[ProtoContract]
internal sealed class Crowd
{
    [ProtoMember(1)]
    public List<Wide>? Rows { get; set; }

    [ProtoMember(2)]
    public Dictionary<int, int>? Numbers { get; set; }

    [ProtoMember(3)]
    public HashSet<long>? Marks { get; set; }

    [ProtoMember(4, IsPacked = true)]
    public LinkedList<int>? Chain { get; set; }

    [ProtoMember(5)]
    public Dictionary<int, Wide>? Map { get; set; }

    [ProtoMember(6, IsPacked = true)]
    public long[]? Packed { get; set; }

    [ProtoMember(7)]
    public Wide[]? Array { get; set; }

    [ProtoMember(8)]
    public ImmutableDictionary<long, int>? Frozen { get; set; }

    [ProtoMember(9)]
    public ConcurrentDictionary<int, int>? Shared { get; set; }

    [ProtoMember(10)]
    public SortedList<int, int>? Sorted { get; set; }

    [ProtoMember(11)]
    public ImmutableHashSet<long>? FrozenMarks { get; set; }

    [ProtoMember(12)]
    public List<string>? Texts { get; set; }

    [ProtoMember(13)]
    public Dictionary<string, int>? Words { get; set; }

    [ProtoMember(14)]
    public Crowd? Inner { get; set; }

    [ProtoMember(15, IsPacked = true)]
    public List<long>? PackedList { get; set; }

    [ProtoMember(16)]
    public List<Spot>? Spots { get; set; }

    [ProtoMember(17)]
    public Queue<Dot>? Queue { get; set; }

    [ProtoMember(18)]
    public ConcurrentDictionary<string, int>? SharedWords { get; set; }

    [ProtoMember(19), NullWrappedValue]
    public List<Wide?>? Wrapped { get; set; }

    [ProtoMember(20)]
    public List<Boxes>? Boxes { get; set; }

    [ProtoMember(21)]
    public List<Ledger>? Ledgers { get; set; }
}
