using System.Runtime.Serialization;

namespace Mux.Tests.Reflection;

[DataContract]
public sealed class Bar
{
    [DataMember(Order = 1)]
    public double Weight { get; set; }
}
