using System.ComponentModel;
using ProtoBuf;

namespace Mux.Generators.Tests.Messages;

/// <summary>Defaults that are texts or constants of another type, and options that are flags.</summary>
[ProtoContract]
public sealed class Converted
{
    [ProtoMember(1), DefaultValue("gold")]
    public Medal Name { get; set; } = Medal.Gold;

    [ProtoMember(2), DefaultValue("Gold, Silver")]
    public Medal Names { get; set; } = Medal.Gold | Medal.Silver;

    [ProtoMember(3), DefaultValue("-3")]
    public Medal Digits { get; set; } = (Medal)(-3);

    [ProtoMember(4), DefaultValue(2)]
    public Medal? Number { get; set; } = Medal.Silver;

    [ProtoMember(5), DefaultValue("1,000")]
    public int Thousands { get; set; } = 1000;

    [ProtoMember(6), DefaultValue("(5)")]
    public long Bracketed { get; set; } = -5;

    [ProtoMember(7), DefaultValue("1e2")]
    public ushort Exponent { get; set; } = 100;

    [ProtoMember(8), DefaultValue("x")]
    public char Letter { get; set; } = 'x';

    [ProtoMember(9), DefaultValue("True")]
    public bool Yes { get; set; } = true;

    [ProtoMember(10), DefaultValue(5)]
    public string? Text { get; set; } = "5";

    [ProtoMember(11), DefaultValue(true)]
    public string? Truth { get; set; } = "True";

    [ProtoMember(12), DefaultValue("18446744073709551615")]
    public ulong Largest { get; set; } = ulong.MaxValue;

    [ProtoMember(13), DefaultValue(typeof(Medal), "Silver")]
    public Medal Typed { get; set; } = Medal.Silver;

    [ProtoMember(14), DefaultValue(typeof(short), "7")]
    public short TypedNumber { get; set; } = 7;

    [ProtoMember(15), DefaultValue("0.5")]
    public float Half { get; set; } = 0.5f;

    [ProtoMember(16), DefaultValue(1)]
    public bool One { get; set; } = true;

    [ProtoMember(17), DefaultValue(65)]
    public char Code { get; set; } = 'A';

    [ProtoMember(18), DefaultValue("9")]
    public nint Native { get; set; } = 9;

    [ProtoMember(19, Options = MemberSerializationOptions.Required)]
    public int Required { get; set; }

    [ProtoMember(20, Options = MemberSerializationOptions.Packed)]
    public List<int>? Packed { get; set; }

    [ProtoMember(21, Options = MemberSerializationOptions.OverwriteList | MemberSerializationOptions.Packed)]
    public List<int> Overwritten { get; set; } = [1];

    [ProtoMember(22, Options = MemberSerializationOptions.Required, IsRequired = false)]
    public int NoLongerRequired { get; set; }

    [ProtoMember(23, IsRequired = true, Options = MemberSerializationOptions.None)]
    public int NeverRequired { get; set; }
}
