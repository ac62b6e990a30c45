using System.Runtime.Serialization;

namespace Mux.Tests.Contracts;

/// <summary>An item of a shared topic.</summary>
[DataContract]
public sealed class SharedTick : IMuxTopicItem
{
    [DataMember(Order = 1)]
    public int Publisher { get; set; }

    [DataMember(Order = 2)]
    public int Index { get; set; }

    [DataMember(Order = 3)]
    public long Sequence { get; set; }
}
