using Mux.TestSupport.Serializers;
using ProtoBuf;

namespace Mux.Serialization.ProtobufNet.Tests;

[ProtoContract]
public sealed class NetSpecimen
{
    [ProtoMember(1)]
    public long Number { get; set; }

    [ProtoMember(2)]
    public double Real { get; set; }

    [ProtoMember(3)]
    public bool Flag { get; set; }

    [ProtoMember(4)]
    public string Text { get; set; } = "";

    [ProtoMember(5)]
    public byte[] Bytes { get; set; } = [];

    [ProtoMember(6)]
    public Grade Grade { get; set; }

    [ProtoMember(7)]
    public List<int> Numbers { get; set; } = [];

    [ProtoMember(8)]
    public List<string> Words { get; set; } = [];

    [ProtoMember(9)]
    public NetSpecimen? Inner { get; set; }

    [ProtoMember(10)]
    public List<NetSpecimen> Items { get; set; } = [];

    [ProtoMember(11)]
    public int? Maybe { get; set; }

    public static NetSpecimen From(Specimen specimen) => new()
    {
        Number = specimen.Number,
        Real = specimen.Real,
        Flag = specimen.Flag,
        Text = specimen.Text,
        Bytes = specimen.Bytes,
        Grade = specimen.Grade,
        Numbers = specimen.Numbers,
        Words = specimen.Words,
        Inner = specimen.Inner is null ? null : From(specimen.Inner),
        Items = [.. specimen.Items.Select(From)],
        Maybe = specimen.Maybe,
    };

    public Specimen Describe() => new()
    {
        Number = Number,
        Real = Real,
        Flag = Flag,
        Text = Text,
        Bytes = Bytes,
        Grade = Grade,
        Numbers = Numbers,
        Words = Words,
        Inner = Inner?.Describe(),
        Items = [.. Items.Select(item => item.Describe())],
        Maybe = Maybe,
    };
}
