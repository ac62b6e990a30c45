using System.Runtime.Serialization;

namespace Mux.Tool.Workloads;

/// <summary>The request of the employee workload: 11 bytes with an id of 1 and a time.</summary>
[DataContract]
internal sealed class SearchEmployee
{
    [DataMember(Order = 1)]
    public int Id { get; set; }

    /// <summary>Comes back in the reply. A number that no other request of the run carries, so that a reply to another call is found out.</summary>
    [DataMember(Order = 2)]
    public double RequestTime { get; set; }
}
