using System.ComponentModel;
using ProtoBuf;

namespace Mux.Generators.Tests.Messages;

/// <summary>Every way to say that a member is written.</summary>
[ProtoContract]
public sealed class Conditional : ConditionalBase
{
    [ProtoMember(1), DefaultValue(5)]
    public int Always { get; set; }

    [ProtoMember(2)]
    public int Known { get; set; }

    [ProtoIgnore]
    public bool KnownSpecified { get; set; }

    [ProtoMember(3)]
    public string? Text { get; set; }

    public bool TextSpecified => Text != "no";

    [ProtoMember(4)]
    public List<int>? Numbers { get; set; }

    public bool NumbersSpecified { get; set; }

    [ProtoMember(5)]
    public int? Maybe { get; set; }

    [ProtoMember(6, IsRequired = true)]
    public int Required { get; set; }

    private bool RequiredSpecified { get; set; }

    [ProtoMember(7)]
    public int[]? Array { get; set; }

    public bool ArraySpecified { get; set; }

    [ProtoMember(8)]
    public Leaf? Leaf { get; set; }

    public bool LeafSpecified { get; set; }

    [ProtoMember(9)]
    public int Inherited { get; set; }

    [ProtoMember(10)]
    public int Protected { get; set; }

    [ProtoMember(11)]
    public int Unseen { get; set; }

    [ProtoMember(12)]
    public List<string> Filled { get; } = [];

    public bool FilledSpecified { get; set; }

    [ProtoMember(13)]
    public Point Point { get; set; }

    public bool PointSpecified { get; set; }

    public bool TellRequired() => RequiredSpecified;

    public void Require() => RequiredSpecified = true;

    private bool ShouldSerializeAlways() => true;

    public bool ShouldSerializeMaybe() => true;

    public bool ShouldSerializeKnown() => throw new InvalidOperationException("The property wins.");
}
