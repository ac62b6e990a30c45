using ProtoBuf;

namespace Mux.Serialization.Oracles.Contracts;

/// <summary>Maps that are lists of pairs to protobuf-net, in which a key stands once.</summary>
[ProtoContract]
public sealed class Pairs
{
    [ProtoMember(1), ProtoMap(DisableMap = true)]
    public Dictionary<string, int>? Items { get; set; }

    [ProtoMember(2)]
    public Dictionary<bool, string>? Booleans { get; set; }
}
