using System.Runtime.Serialization;

namespace Mux.Tests.Versions.After;

/// <summary>The price is a text, which no peer of before can read.</summary>
[DataContract]
public sealed class Line
{
    [DataMember(Order = 1)]
    public string? Item { get; set; }

    [DataMember(Order = 2)]
    public string? Price { get; set; }
}
