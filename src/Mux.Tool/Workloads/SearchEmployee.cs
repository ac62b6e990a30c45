using System.Runtime.Serialization;

namespace Mux.Tool.Workloads;

/// <summary>The request of the employee workload: 11 bytes with an id of 1 and a time.</summary>
[DataContract]
internal sealed class SearchEmployee
{
    [DataMember(Order = 1)]
    public int Id { get; set; }

    /// <summary>Returned in the reply. Unique in the run, so that a reply to another call is detected.</summary>
    [DataMember(Order = 2)]
    public double RequestTime { get; set; }
}
