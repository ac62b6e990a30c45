using System.Runtime.Serialization;

namespace Mux.Tests.Reflection;

[DataContract]
public sealed class Gold
{
    [DataMember(Order = 1)]
    public List<Bar> Bars { get; set; } = [];
}
