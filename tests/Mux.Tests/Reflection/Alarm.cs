using System.Runtime.Serialization;

namespace Mux.Tests.Reflection;

[DataContract]
public sealed class Alarm
{
    [DataMember(Order = 1)]
    public int Number { get; set; }
}
