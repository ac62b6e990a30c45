using ProtoBuf;

namespace Mux.Serialization.Oracles.Contracts;

/// <summary>Nulls that are told from zeros and from empty collections by a message around them.</summary>
[ProtoContract]
public sealed class Nulls
{
    [ProtoMember(1), NullWrappedValue]
    public int? Number { get; set; }

    [ProtoMember(2), NullWrappedValue]
    public List<int?>? Numbers { get; set; }

    [ProtoMember(3), NullWrappedValue]
    public List<string?>? Texts { get; set; }

    [ProtoMember(4), NullWrappedCollection]
    public List<int>? Items { get; set; }

    [ProtoMember(5), NullWrappedCollection]
    public string[]? TextItems { get; set; }

    [ProtoMember(6), NullWrappedValue]
    public Dictionary<int, string?>? Map { get; set; }
}
