using System.Runtime.Serialization;

namespace Mux.Generators.Tests.Messages;

/// <summary>A chain, or a circle.</summary>
[DataContract]
public class Link
{
    [DataMember(Order = 1)]
    public Link? Next { get; set; }

    [DataMember(Order = 2)]
    public List<Link>? Others { get; set; }

    [DataMember(Order = 3)]
    public int Number { get; set; }
}
