using System.Runtime.Serialization;

namespace Seeds.Contracts;

/// <summary>What dotnet-rpc-benchmark registers and lists.</summary>
[DataContract]
internal sealed class User
{
    [DataMember(Order = 1)]
    public string? Id { get; set; }

    [DataMember(Order = 2)]
    public string? Name { get; set; }

    [DataMember(Order = 3)]
    public string? Email { get; set; }

    [DataMember(Order = 4)]
    public string? City { get; set; }

    [DataMember(Order = 5)]
    public string? Country { get; set; }

    [DataMember(Order = 6)]
    public string? Password { get; set; }

    [DataMember(Order = 7)]
    public long Created { get; set; }
}
