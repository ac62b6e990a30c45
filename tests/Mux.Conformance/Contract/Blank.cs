using System.Runtime.Serialization;

namespace Mux.Conformance.Contract;

/// <summary>A message whose only field is left out, so that it has no bytes.</summary>
[DataContract]
public sealed class Blank
{
    [DataMember(Order = 1)]
    public int Number { get; set; }
}
