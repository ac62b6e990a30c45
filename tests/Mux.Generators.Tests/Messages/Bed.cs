using ProtoBuf;

namespace Mux.Generators.Tests.Messages;

/// <summary>Messages of numbers and texts alone in everything that holds them.</summary>
[ProtoContract]
public sealed class Bed
{
    [ProtoMember(1)]
    public int Id { get; set; }

    [ProtoMember(2)]
    public Seed? First { get; set; }

    [ProtoMember(3)]
    public List<Seed>? Seeds { get; set; }

    [ProtoMember(4)]
    public Seed[]? Row { get; set; }

    [ProtoMember(5, DataFormat = DataFormat.Group)]
    public List<Seed>? Grouped { get; set; }

    [ProtoMember(6)]
    public Bed? Inner { get; set; }

    [ProtoMember(8, OverwriteList = true)]
    public List<Seed>? Newest { get; set; }

    [ProtoMember(9)]
    public List<Seed> Kept { get; } = [];

    [ProtoMember(20)]
    public List<Seed>? Far { get; set; }

    [ProtoMember(21)]
    public List<Kernel>? Kernels { get; set; }

    [ProtoMember(22)]
    public Kernel? Kernel { get; set; }

    [ProtoMember(23)]
    public List<Hull>? Hulls { get; set; }

    [ProtoMember(3000)]
    public Seed? Farthest { get; set; }
}
