using System.Runtime.Serialization;

namespace Mux.Conformance.Contract;

/// <summary>Bytes of any number.</summary>
[DataContract]
public sealed class Payload
{
    [DataMember(Order = 1)]
    public byte[] Body { get; set; } = [];

    [DataMember(Order = 2)]
    public int Number { get; set; }
}
