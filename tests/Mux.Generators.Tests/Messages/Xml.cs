using System.Runtime.Serialization;
using System.Xml.Serialization;
using ProtoBuf;

namespace Mux.Generators.Tests.Messages;

/// <summary>Numbered by the attributes of XML where those of a data contract give no number.</summary>
[XmlType]
[DataContract]
[ProtoContract(DataMemberOffset = 10)]
public class Xml
{
    [DataMember(Order = 1), XmlElement(Order = 2)]
    public int A { get; set; }

    [DataMember, XmlElement(Order = 3)]
    public int B { get; set; }

    [XmlArray(Order = 4)]
    public int[]? C { get; set; }

    [XmlElement(Order = 5), XmlIgnore]
    public int D { get; set; }

    [XmlElement("name")]
    public int E { get; set; }

    [XmlElement("name", Order = 6)]
    public int F { get; set; }
}
