using ProtoBuf;

namespace Mux.Serialization.Oracles.Contracts;

[ProtoContract]
public sealed class Grouped
{
    [ProtoMember(1)]
    public int? Number { get; set; }

    [ProtoMember(2)]
    public string? Text { get; set; }

    [ProtoMember(3)]
    public GroupedNumber? Inner { get; set; }
}
