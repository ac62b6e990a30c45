using System.Runtime.Serialization;

namespace Mux.Conformance.Contract;

/// <summary><see cref="Payload"/> with a text where that has a number.</summary>
[DataContract]
public sealed class OddPayload
{
    [DataMember(Order = 1)]
    public string? Body { get; set; }

    [DataMember(Order = 2)]
    public string? Number { get; set; }
}
