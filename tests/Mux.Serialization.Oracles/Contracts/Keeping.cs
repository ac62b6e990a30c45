using ProtoBuf;

namespace Mux.Serialization.Oracles.Contracts;

/// <summary>Keeps the fields that it does not know.</summary>
[ProtoContract]
public sealed class Keeping
{
    [ProtoMember(1)]
    public int Number { get; set; }

    [ProtoMember(2)]
    public Keeping? Inner { get; set; }

    [ProtoMember(3)]
    public List<Keeping>? Items { get; set; }

    private UnknownFields? Unknown { get; set; }
}
