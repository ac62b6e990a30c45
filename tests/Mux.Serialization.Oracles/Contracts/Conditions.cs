using ProtoBuf;

namespace Mux.Serialization.Oracles.Contracts;

/// <summary>Members of which one at most is there, as tools make of a oneof, and one that says by itself whether it is.</summary>
[ProtoContract]
public sealed class Conditions
{
    private object? _choice;

    [ProtoMember(1)]
    public int Number
    {
        get => _choice as int? ?? 0;
        set => _choice = value;
    }

    [ProtoMember(2)]
    public string? Text
    {
        get => _choice as string;
        set => _choice = value;
    }

    [ProtoMember(3)]
    public Leaf? Leaf
    {
        get => _choice as Leaf;
        set => _choice = value;
    }

    [ProtoMember(4)]
    public long Counted { get; set; }

    [ProtoIgnore]
    public bool CountedSpecified { get; set; }

    [ProtoMember(5)]
    public int Plain { get; set; }

    public bool ShouldSerializeNumber() => _choice is int;

    public bool ShouldSerializeText() => _choice is string;

    public bool ShouldSerializeLeaf() => _choice is Leaf;
}
