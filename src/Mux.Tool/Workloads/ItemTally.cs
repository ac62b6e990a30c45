using System.Runtime.Serialization;

namespace Mux.Tool.Workloads;

/// <summary>What a server has seen of a stream.</summary>
[DataContract]
internal sealed class ItemTally
{
    [DataMember(Order = 1)]
    public long Items { get; set; }

    /// <summary>Of these, those that were not the ones whose turn it was.</summary>
    [DataMember(Order = 2)]
    public long Wrong { get; set; }
}
