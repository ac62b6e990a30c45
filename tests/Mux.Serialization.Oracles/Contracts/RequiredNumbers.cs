using System.ComponentModel;
using System.Runtime.Serialization;
using ProtoBuf;

namespace Mux.Serialization.Oracles.Contracts;

/// <summary>Members of which a zero is written.</summary>
[ProtoContract, DataContract]
public sealed class RequiredNumbers
{
    /// <summary>Written unless zero, as any other.</summary>
    [ProtoMember(1)]
    public int Int32 { get; set; }

    [ProtoMember(2, IsRequired = true)]
    public int Required { get; set; }

    [DataMember(Order = 3, IsRequired = true)]
    public double RequiredDouble { get; set; }

    [ProtoMember(4, IsRequired = true)]
    public string? RequiredText { get; set; }

    [ProtoMember(5), DefaultValue(null)]
    public bool AlwaysWritten { get; set; }
}
