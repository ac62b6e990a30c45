using ProtoBuf;

namespace Mux.Generators.Tests.Messages;

/// <summary>A chain of classes; the include fields stand on both sides of the members, one of them is a group.</summary>
[ProtoContract]
[ProtoInclude(10, typeof(Dog))]
[ProtoInclude(3, "Mux.Generators.Tests.Messages.Fish, Mux.Generators.Tests", DataFormat = DataFormat.Group)]
[ProtoInclude(200, typeof(Ghost))]
public class Animal
{
    public Animal()
    {
    }

    protected Animal(string name) => Name = name;

    [ProtoMember(1)]
    public string? Name { get; set; }

    [ProtoMember(2)]
    public List<Animal>? Young { get; set; }

    [ProtoMember(5)]
    public Animal? Friend { get; set; }

    [ProtoMember(4)]
    public int[]? Marks { get; set; }

    [ProtoMember(6)]
    public Animal Preset { get; set; } = null!;
}
