using ProtoBuf;

namespace Mux.Generators.Tests.Messages;

/// <summary>Members that are tuples, by name or by shape.</summary>
[ProtoContract]
public sealed class Tuples
{
    [ProtoMember(1)]
    public (int A, string? B) Value { get; set; } = (7, "seven");

    [ProtoMember(2)]
    public (int, string?)? Maybe { get; set; }

    [ProtoMember(3)]
    public List<(int X, int Y)>? List { get; set; }

    [ProtoMember(4)]
    public Tuple<int, string?>? Class { get; set; }

    [ProtoMember(5)]
    public KeyValuePair<int, Coin?> Pair { get; set; }

    [ProtoMember(6, DataFormat = DataFormat.Group)]
    public Coin? Coin { get; set; }

    [ProtoMember(7)]
    public Token[]? Tokens { get; set; }

    [ProtoMember(8)]
    public (List<int>? Numbers, int[]? Array, byte[]? Bytes, Grade Grade, int? Maybe, Leaf? Leaf) Rich { get; set; }
}
