using System.Runtime.Serialization;

namespace Mux.Tool.Workloads;

/// <summary>The reply of the employee workload: 49 bytes.</summary>
[DataContract]
internal sealed class Employee
{
    [DataMember(Order = 1)]
    public int EmployeeId { get; set; }

    [DataMember(Order = 2)]
    public string? LastName { get; set; }

    [DataMember(Order = 3)]
    public string? FirstName { get; set; }

    [DataMember(Order = 4)]
    public string? Title { get; set; }

    [DataMember(Order = 5)]
    public string? City { get; set; }

    [DataMember(Order = 6)]
    public string? Region { get; set; }

    [DataMember(Order = 7)]
    public string? Country { get; set; }

    /// <summary>Time of the request.</summary>
    [DataMember(Order = 8)]
    public double RequestTime { get; set; }
}
