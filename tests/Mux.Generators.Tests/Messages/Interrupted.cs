using ProtoBuf;

namespace Mux.Generators.Tests.Messages;

/// <summary>Whatever can be joined from several fields, and a field to stand between them.</summary>
[ProtoContract]
public sealed class Interrupted
{
    [ProtoMember(1)]
    public byte[]? Bytes { get; set; }

    [ProtoMember(2)]
    public int[]? Numbers { get; set; }

    [ProtoMember(3)]
    public string[]? Texts { get; set; }

    [ProtoMember(4)]
    public Point[]? Points { get; set; }

    [ProtoMember(5)]
    public Link[]? Links { get; set; }

    [ProtoMember(6, IsPacked = true)]
    public float[]? Floats { get; set; }

    [ProtoMember(7)]
    public List<int>? NumberList { get; set; }

    [ProtoMember(8, IsPacked = true)]
    public List<float>? FloatList { get; set; }

    [ProtoMember(9)]
    public int Between { get; set; }
}
