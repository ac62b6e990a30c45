using System.Runtime.Serialization;
using Mux.TestSupport.Serializers;

namespace Mux.Tests.Serializers;

[DataContract]
public sealed class GeneratedSpecimen
{
    [DataMember(Order = 1)]
    public long Number { get; set; }

    [DataMember(Order = 2)]
    public double Real { get; set; }

    [DataMember(Order = 3)]
    public bool Flag { get; set; }

    [DataMember(Order = 4)]
    public string Text { get; set; } = "";

    [DataMember(Order = 5)]
    public byte[] Bytes { get; set; } = [];

    [DataMember(Order = 6)]
    public Grade Grade { get; set; }

    [DataMember(Order = 7)]
    public List<int> Numbers { get; set; } = [];

    [DataMember(Order = 8)]
    public List<string> Words { get; set; } = [];

    [DataMember(Order = 9)]
    public GeneratedSpecimen? Inner { get; set; }

    [DataMember(Order = 10)]
    public List<GeneratedSpecimen> Items { get; set; } = [];

    [DataMember(Order = 11)]
    public int? Maybe { get; set; }
}
