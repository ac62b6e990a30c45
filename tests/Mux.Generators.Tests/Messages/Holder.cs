using System.Collections.Immutable;
using ProtoBuf;

namespace Mux.Generators.Tests.Messages;

/// <summary>Types that are special as a whole, in collections and maps.</summary>
[ProtoContract]
public sealed class Holder
{
    [ProtoMember(1)]
    public Dictionary<int, Label?>? Labels { get; set; }

    [ProtoMember(2)]
    public Dictionary<int, Score?>? Scores { get; set; }

    [ProtoMember(3)]
    public Dictionary<int, Level>? Levels { get; set; }

    [ProtoMember(4)]
    public Dictionary<int, Degrees?>? Degrees { get; set; }

    [ProtoMember(5)]
    public Dictionary<int, Plant>? Plants { get; set; }

    [ProtoMember(6)]
    public Dictionary<int, Animal?>? Animals { get; set; }

    [ProtoMember(7)]
    public Dictionary<int, Coin?>? Coins { get; set; }

    [ProtoMember(8)]
    public Dictionary<int, (int, int)>? Pairs { get; set; }

    [ProtoMember(9)]
    public Dictionary<int, Dog>? Dogs { get; set; }

    [ProtoMember(10)]
    public HashSet<Coin>? Purse { get; set; }

    [ProtoMember(11)]
    public ImmutableArray<Animal> Zoo { get; set; }

    [ProtoMember(12)]
    public Dictionary<Coin, string>? ByCoin { get; set; }

    [ProtoMember(13)]
    public Dictionary<Level, int>? ByLevel { get; set; }

    [ProtoMember(14)]
    public IReadOnlyList<Label>? Names { get; set; }

    public bool ShouldSerializeZoo() => !Zoo.IsDefault;
}
