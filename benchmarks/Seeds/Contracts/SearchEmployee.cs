using System.Runtime.Serialization;

namespace Seeds.Contracts;

/// <summary>11 bytes.</summary>
[DataContract]
internal sealed class SearchEmployee
{
    [DataMember(Order = 1)]
    public int Id { get; set; }

    [DataMember(Order = 2)]
    public double RequestTime { get; set; }
}
