using System.Runtime.Serialization;

namespace Mux.Tests.Versions.Before;

[DataContract]
public sealed class Line
{
    [DataMember(Order = 1)]
    public string? Item { get; set; }

    [DataMember(Order = 2)]
    public int Price { get; set; }
}
