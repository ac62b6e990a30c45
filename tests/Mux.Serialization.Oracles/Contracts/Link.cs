using System.Runtime.Serialization;

namespace Mux.Serialization.Oracles.Contracts;

/// <summary>As deep as one likes.</summary>
[DataContract]
public sealed class Link
{
    [DataMember(Order = 1)]
    public Link? Next { get; set; }

    [DataMember(Order = 2)]
    public List<Link>? Others { get; set; }

    [DataMember(Order = 3)]
    public int Number { get; set; }
}
