using System.Runtime.Serialization;
using Nerdbank.MessagePack;

namespace SideBySide.Contracts;

/// <summary>
/// The reply of the employee workload of <c>mux bench</c>, for all stacks but grpc-dotnet, whose compiler makes its own of Directory.proto. The numbers of the
/// data contract are for protobuf and for MessagePack, the keys for Nerdbank.MessagePack: each writes an array instead of names.
/// </summary>
[DataContract]
public sealed class Employee
{
    [DataMember(Order = 1), Key(0)]
    public int EmployeeId { get; set; }

    [DataMember(Order = 2), Key(1)]
    public string? LastName { get; set; }

    [DataMember(Order = 3), Key(2)]
    public string? FirstName { get; set; }

    [DataMember(Order = 4), Key(3)]
    public string? Title { get; set; }

    [DataMember(Order = 5), Key(4)]
    public string? City { get; set; }

    [DataMember(Order = 6), Key(5)]
    public string? Region { get; set; }

    [DataMember(Order = 7), Key(6)]
    public string? Country { get; set; }

    /// <summary>Of the request: tells a reply from those to other calls.</summary>
    [DataMember(Order = 8), Key(7)]
    public double RequestTime { get; set; }
}
