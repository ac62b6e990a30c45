using System.Runtime.Serialization;

namespace Mux.ProtocolCases.Serving;

/// <summary>One field of each kind that bytes can be wrong for.</summary>
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
