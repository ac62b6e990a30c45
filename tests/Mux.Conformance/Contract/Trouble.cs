using System.Runtime.Serialization;

namespace Mux.Conformance.Contract;

/// <summary>What a failure says beyond status and text.</summary>
[DataContract]
public sealed class Trouble
{
    [DataMember(Order = 1)]
    public string? Reason { get; set; }

    [DataMember(Order = 2)]
    public int Weight { get; set; }
}
