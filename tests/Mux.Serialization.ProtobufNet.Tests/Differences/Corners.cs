using System.Collections.Concurrent;
using System.Collections.Immutable;
using ProtoBuf;

namespace Mux.Serialization.ProtobufNet.Tests.Differences;

/// <summary>Members of which the documentation says something in particular.</summary>
[ProtoContract]
public sealed class Corners
{
    [ProtoMember(1)]
    public DateTime? Time { get; set; }

    [ProtoMember(2)]
    public int Number { get; set; }

    [ProtoMember(3, IsRequired = true)]
    public int Required { get; set; }

    [ProtoMember(6)]
    public Dictionary<int, Uri?>? Links { get; set; }

    [ProtoMember(7)]
    public Dictionary<int, int> Preset { get; set; } = new() { [1] = 10 };

    [ProtoMember(8)]
    public Dictionary<double, int> PresetPairs { get; set; } = new() { [1] = 10 };

    [ProtoMember(9), ProtoMap(DisableMap = true)]
    public Dictionary<int, int> PresetDisabled { get; set; } = new() { [1] = 10 };

    [ProtoMember(10)]
    public SortedDictionary<int, int> PresetSorted { get; set; } = new() { [1] = 10 };

    [ProtoMember(11)]
    public IReadOnlyDictionary<int, int> PresetReadOnly { get; set; } = new Dictionary<int, int> { [1] = 10 };

    [ProtoMember(12)]
    public ImmutableDictionary<int, int> PresetImmutable { get; set; } = ImmutableDictionary<int, int>.Empty.Add(1, 10);

    [ProtoMember(13)]
    public ConcurrentDictionary<int, int> PresetConcurrent { get; set; } = new() { [1] = 10 };

    [ProtoMember(14, OverwriteList = true)]
    public Dictionary<int, int> PresetReplaced { get; set; } = new() { [1] = 10, [2] = 11 };
}
