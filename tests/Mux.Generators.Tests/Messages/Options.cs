using System.ComponentModel;
using System.Runtime.Serialization;
using ProtoBuf;

namespace Mux.Generators.Tests.Messages;

/// <summary>A member for every option of the attributes.</summary>
[ProtoContract, DataContract]
public class Options
{
    private int _byMethod;

    [ProtoMember(1, IsRequired = true)]
    public int RequiredNumber { get; set; }

    [DataMember(Order = 2, IsRequired = true)]
    public double RequiredReal { get; set; }

    [ProtoMember(3, IsRequired = true)]
    public string? RequiredText { get; set; }

    [ProtoMember(4), DefaultValue(5)]
    public int Five { get; set; } = 5;

    [ProtoMember(5), DefaultValue(null)]
    public int AlwaysWritten { get; set; }

    [ProtoMember(6), DefaultValue(7)]
    public long? NullOrSeven { get; set; } = 7;

    /// <summary>The attribute of the property wins over the other family's.</summary>
    [ProtoMember(7), DataMember(Order = 8)]
    public int SevenNotEight { get; set; }

    [field: ProtoMember(9)]
    public int ByField { get; set; }

    [ProtoMember(10)]
    public int ByMethod => _byMethod;

#pragma warning disable MUX0054 // that it is so is tested
    [ProtoMember(11), ProtoIgnore]
    public int Ignored { get; set; }
#pragma warning restore MUX0054

    [ProtoMember(12)]
    public Grouped? Grouped { get; set; }

    [ProtoMember(13)]
    public List<Grouped>? GroupedItems { get; set; }

    [ProtoMember(14, IsPacked = true)]
    public int NotAList { get; set; }

    public void SetByMethod(int value) => _byMethod = value;
}
