using ProtoBuf;

namespace Mux.Serialization.Oracles.Contracts;

/// <summary>Messages between two tags.</summary>
[ProtoContract]
public sealed class Groups
{
    [ProtoMember(1, DataFormat = DataFormat.Group)]
    public Grouped? One { get; set; }

    [ProtoMember(2, DataFormat = DataFormat.Group)]
    public List<Grouped>? Many { get; set; }

    [ProtoMember(3)]
    public int? Number { get; set; }

    [ProtoMember(16)]
    public GroupedNumber[]? Array { get; set; }
}
