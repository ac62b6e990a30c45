using System.Collections.Immutable;
using ProtoBuf;

namespace Mux.Serialization.Oracles.Contracts;

/// <summary>Maps with keys of every kind that Google's have.</summary>
[ProtoContract]
public sealed class Maps
{
    [ProtoMember(1)]
    public Dictionary<int, string>? Int32s { get; set; }

    [ProtoMember(2), ProtoMap(KeyFormat = DataFormat.ZigZag, ValueFormat = DataFormat.ZigZag)]
    public Dictionary<int, long>? ZigZagInt32s { get; set; }

    [ProtoMember(3), ProtoMap(KeyFormat = DataFormat.FixedSize, ValueFormat = DataFormat.FixedSize)]
    public Dictionary<int, int>? FixedInt32s { get; set; }

    [ProtoMember(4)]
    public Dictionary<uint, bool>? UInt32s { get; set; }

    [ProtoMember(5), ProtoMap(KeyFormat = DataFormat.FixedSize)]
    public Dictionary<uint, float>? FixedUInt32s { get; set; }

    [ProtoMember(6)]
    public Dictionary<long, double>? Int64s { get; set; }

    [ProtoMember(7), ProtoMap(KeyFormat = DataFormat.ZigZag)]
    public Dictionary<long, Leaf>? ZigZagInt64s { get; set; }

    [ProtoMember(8), ProtoMap(KeyFormat = DataFormat.FixedSize)]
    public Dictionary<long, Point>? FixedInt64s { get; set; }

    [ProtoMember(9)]
    public Dictionary<ulong, byte[]>? UInt64s { get; set; }

    [ProtoMember(10), ProtoMap(KeyFormat = DataFormat.FixedSize)]
    public Dictionary<ulong, Level>? FixedUInt64s { get; set; }

    [ProtoMember(12)]
    public Dictionary<string, int>? Texts { get; set; }

    [ProtoMember(13)]
    public Dictionary<Level, int>? Levels { get; set; }

    [ProtoMember(14)]
    public SortedDictionary<int, string>? Sorted { get; set; }

    [ProtoMember(15)]
    public SortedList<long, int>? SortedList { get; set; }

    [ProtoMember(16)]
    public ImmutableDictionary<int, ulong>? Immutable { get; set; }

    [ProtoMember(17)]
    public IDictionary<string, string>? DictionaryInterface { get; set; }

    [ProtoMember(18)]
    public IReadOnlyDictionary<int, long>? ReadOnly { get; set; }
}
