using ProtoBuf;

namespace Mux.Serialization.Oracles.Contracts;

/// <summary>Types without attributes.</summary>
[ProtoContract]
public sealed class Tuples
{
    [ProtoMember(1)]
    public (int Count, string? Name) Pair { get; set; }

    [ProtoMember(2)]
    public (int, string?)? Maybe { get; set; }

    [ProtoMember(3)]
    public List<(int, string?)>? Pairs { get; set; }

    [ProtoMember(4)]
    public Label? Record { get; set; }
}
