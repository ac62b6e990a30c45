using System.Runtime.Serialization;

namespace Mux.Benchmarks;

[DataContract]
public sealed class Employee
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

    [DataMember(Order = 8)]
    public double RequestTime { get; set; }

    public static Employee Example(double requestTime) => new()
    {
        EmployeeId = 1,
        LastName = "Davolio",
        FirstName = "Nancy",
        Title = "ja",
        City = "Seattle",
        Region = "WA",
        Country = "USA",
        RequestTime = requestTime,
    };
}
