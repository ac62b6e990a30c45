using System.Runtime.Serialization;

namespace Mux.Conformance.Contract;

/// <summary><see cref="Payload"/>, some versions later.</summary>
[DataContract]
public sealed class NewerPayload
{
    [DataMember(Order = 1)]
    public byte[] Body { get; set; } = [];

    [DataMember(Order = 2)]
    public int Number { get; set; }

    [DataMember(Order = 3)]
    public string? Note { get; set; }

    [DataMember(Order = 4)]
    public List<int> Weights { get; } = [];
}
