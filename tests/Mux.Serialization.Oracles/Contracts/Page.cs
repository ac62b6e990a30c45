using System.Runtime.Serialization;

namespace Mux.Serialization.Oracles.Contracts;

[DataContract]
public sealed class Page<T>
{
    [DataMember(Order = 1)]
    public List<T>? Items { get; set; }

    [DataMember(Order = 2)]
    public int Total { get; set; }
}
