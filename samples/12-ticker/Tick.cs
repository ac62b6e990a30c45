using System.Runtime.Serialization;
using Mux;

namespace Ticker;

/// <summary>A price at which a share was traded.</summary>
[DataContract]
public sealed class Tick : IMuxTopicItem
{
    /// <summary>Index in <see cref="Shares.Names"/>.</summary>
    [DataMember(Order = 1)]
    public int Share { get; set; }

    [DataMember(Order = 2)]
    public int Cents { get; set; }

    /// <summary>Set by the topic: a gap says that the subscriber was too slow for some.</summary>
    [DataMember(Order = 3)]
    public long Sequence { get; set; }

    /// <summary>When it was published, in ticks of UTC.</summary>
    [DataMember(Order = 4)]
    public long At { get; set; }
}
