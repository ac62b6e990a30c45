using ProtoBuf;

namespace Mux.Tests.Topics;

/// <summary>An item of a topic.</summary>
[ProtoContract]
public sealed class Tick : IMuxTopicItem
{
    [ProtoMember(1)]
    public int Price { get; set; }

    [ProtoMember(2)]
    public long Sequence { get; set; }

    [ProtoMember(3)]
    public byte[] Padding { get; set; } = [];
}
