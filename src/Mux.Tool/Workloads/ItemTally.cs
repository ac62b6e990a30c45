using System.Runtime.Serialization;

namespace Mux.Tool.Workloads;

/// <summary>A server's count of the items of a stream.</summary>
[DataContract]
internal sealed class ItemTally
{
    [DataMember(Order = 1)]
    public long Items { get; set; }

    /// <summary>Number of items that were not the expected ones.</summary>
    [DataMember(Order = 2)]
    public long Wrong { get; set; }
}
