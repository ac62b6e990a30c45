using ProtoBuf;

namespace Mux.Serialization.ProtobufNet.Tests.Differences;

/// <summary>Memory of all kinds.</summary>
[ProtoContract]
public sealed class Segments
{
    [ProtoMember(1)]
    public ArraySegment<byte> Segment { get; set; }

    [ProtoMember(2)]
    public Memory<byte> Memory { get; set; }
}
