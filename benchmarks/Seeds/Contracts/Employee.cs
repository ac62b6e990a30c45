using System.Runtime.Serialization;

namespace Seeds.Contracts;

/// <summary>49 bytes as the seed's server fills it.</summary>
[DataContract]
internal sealed class Employee
{
    [DataMember(Order = 1)]
    public int Id { get; set; }

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
}
