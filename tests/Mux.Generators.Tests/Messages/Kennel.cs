using ProtoBuf;

namespace Mux.Generators.Tests.Messages;

/// <summary>Members of every class of a chain.</summary>
[ProtoContract]
public sealed class Kennel
{
    [ProtoMember(1)]
    public Dog? Best { get; set; }

    [ProtoMember(2)]
    public List<Puppy>? Young { get; set; }

    [ProtoMember(3, DataFormat = DataFormat.Group)]
    public Animal? Guest { get; set; }

    [ProtoMember(4)]
    public Plant? Plant { get; set; }

    [ProtoMember(5)]
    public Animal Mascot { get; set; } = new() { Name = "preset" };
}
