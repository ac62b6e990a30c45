using ProtoBuf;

namespace Mux.Generators.Tests.Messages;

/// <summary>A hundred bytes.</summary>
[ProtoContract]
internal struct Columns
{
    [ProtoMember(1)]
    public long A;

    [ProtoMember(2)]
    public double B;

    [ProtoMember(3)]
    public long C;

    [ProtoMember(4)]
    public double D;

    [ProtoMember(5)]
    public long? E;

    [ProtoMember(6)]
    public double? F;

    [ProtoMember(7)]
    public string? G;

    [ProtoMember(8)]
    public string? H;

    [ProtoMember(9)]
    public long? I;
}
