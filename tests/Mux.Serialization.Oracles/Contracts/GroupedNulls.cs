using ProtoBuf;

namespace Mux.Serialization.Oracles.Contracts;

/// <summary>The same with groups instead of messages.</summary>
[ProtoContract]
public sealed class GroupedNulls
{
    [ProtoMember(1), NullWrappedValue(AsGroup = true)]
    public List<int?>? Numbers { get; set; }

    [ProtoMember(2), NullWrappedCollection(AsGroup = true)]
    public List<int>? Items { get; set; }
}
