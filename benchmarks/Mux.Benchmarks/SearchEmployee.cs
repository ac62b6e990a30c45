using System.Runtime.Serialization;

namespace Mux.Benchmarks;

[DataContract]
public sealed class SearchEmployee
{
    [DataMember(Order = 1)]
    public int Id { get; set; }

    [DataMember(Order = 2)]
    public double RequestTime { get; set; }
}
