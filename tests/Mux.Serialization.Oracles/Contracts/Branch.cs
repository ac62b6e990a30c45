using ProtoBuf;

namespace Mux.Serialization.Oracles.Contracts;

/// <summary>Messages in messages: records, structs and itself.</summary>
[ProtoContract]
public sealed class Branch
{
    [ProtoMember(1)]
    public int Number { get; set; }

    [ProtoMember(2)]
    public Leaf? Leaf { get; set; }

    [ProtoMember(3)]
    public Point Point { get; set; }

    [ProtoMember(4)]
    public Point? MaybePoint { get; set; }

    [ProtoMember(5)]
    public Branch? Inner { get; set; }

    [ProtoMember(6)]
    public List<Leaf>? Leaves { get; set; }

    [ProtoMember(7)]
    public Point[]? Points { get; set; }

    [ProtoMember(8)]
    public Branch[]? Further { get; set; }

    [ProtoMember(9)]
    public string? Name { get; set; }
}
