using ProtoBuf;

namespace Mux.Generators.Tests.Messages;

/// <summary>Members that are written by a surrogate.</summary>
[ProtoContract]
public sealed class Thermometer
{
    [ProtoMember(1)]
    public Degrees? Now { get; set; }

    [ProtoMember(2)]
    public List<Degrees>? Log { get; set; }

    [ProtoMember(3, DataFormat = DataFormat.Group)]
    public Degrees? Group { get; set; }

    [ProtoMember(4)]
    public Volume Volume { get; set; }

    [ProtoMember(5)]
    public Volume? MaybeVolume { get; set; }

    [ProtoMember(6)]
    public Label? Label { get; set; }

    [ProtoMember(7)]
    public List<Label>? Labels { get; set; }

    [ProtoMember(8, DataFormat = DataFormat.ZigZag)]
    public Level Level { get; set; }

    [ProtoMember(9, IsPacked = true)]
    public List<Level>? Levels { get; set; }

    [ProtoMember(10)]
    public Level? MaybeLevel { get; set; }

    [ProtoMember(11)]
    public Label[]? LabelArray { get; set; }

    [ProtoMember(12)]
    public Level Second { get; set; }
}
