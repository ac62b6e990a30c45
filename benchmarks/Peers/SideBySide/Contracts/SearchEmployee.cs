using System.Runtime.Serialization;
using Nerdbank.MessagePack;

namespace SideBySide.Contracts;

/// <summary>The request of the employee workload.</summary>
[DataContract]
public sealed class SearchEmployee
{
    [DataMember(Order = 1), Key(0)]
    public int Id { get; set; }

    /// <summary>Unique in the run.</summary>
    [DataMember(Order = 2), Key(1)]
    public double RequestTime { get; set; }
}
