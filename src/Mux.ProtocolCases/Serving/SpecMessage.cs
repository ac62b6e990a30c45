using System.Runtime.Serialization;

namespace Mux.ProtocolCases.Serving;

/// <summary>A message with one field of each kind that can be encoded wrongly.</summary>
[DataContract]
internal sealed class SpecMessage
{
    [DataMember(Order = 1)]
    public string? Text { get; set; }

    [DataMember(Order = 2)]
    public short Small { get; set; }

    [DataMember(Order = 3)]
    public List<double> Numbers { get; set; } = [];

    [DataMember(Order = 4)]
    public SpecMessage? Inner { get; set; }
}
