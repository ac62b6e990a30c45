using System.ComponentModel;
using ProtoBuf;

namespace Mux.Serialization.Oracles.Contracts;

/// <summary>Members that are left out when they have a value other than zero.</summary>
[ProtoContract]
public sealed class Defaults
{
    [ProtoMember(1), DefaultValue(5)]
    public int Five { get; set; } = 5;

    [ProtoMember(2), DefaultValue("none")]
    public string? Text { get; set; } = "none";

    [ProtoMember(3), DefaultValue(true)]
    public bool Yes { get; set; } = true;

    [ProtoMember(4), DefaultValue(0.5)]
    public double Half { get; set; } = 0.5;
}
