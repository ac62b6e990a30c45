using Mux.Generators.Tests.Containers;
using Mux.Serialization;

namespace Mux.Generators.Tests.Codecs;

/// <summary>A member that is a message and comes ever again: what it makes of its collections and surrogates each time is paid for.</summary>
public sealed class RepeatedMergeTests
{
    private const int Many = 50_000;

    private static readonly Lazy<CompiledContracts> s_contracts = new(Compile);

    [Theory]
    [InlineData("Table", "Value")]
    [InlineData("Set", "Value")]
    [InlineData("HiddenSet", "Value")]
    public void A_large_table_is_not_cleared_again_and_again_for_a_few_bytes(string type, string member)
    {
        var parts = new Wire().Message(1, Numbers(type, Many));
        for (int i = 0; i < Many; i++) parts.Message(1, Numbers(type, 1));
        AssertRefused(type, member, parts);
    }

    [Fact]
    public void A_table_with_room_is_not_looked_through_again_and_again()
    {
        var parts = new Wire();
        for (int i = 0; i < 300; i++) parts.Message(1, Numbers("Roomy", 1100));
        AssertRefused("Roomy", "Value", parts);
        Assert.Equal(1100, Count(s_contracts.Value.Decode("Roomy", Convert.ToHexString(Numbers("Roomy", 1100).ToArray()))!));
    }

    [Fact]
    public void A_list_to_which_nothing_can_be_added_is_not_copied_again_and_again()
    {
        var parts = new Wire().Message(1, Numbers("Sealed", Many));
        for (int i = 0; i < Many; i++) parts.Message(1, Numbers("Sealed", 1));
        AssertRefused("Sealed", "Value", parts);
    }

    [Theory]
    [InlineData("Tags")]
    [InlineData("TagStruct")]
    public void A_large_surrogate_is_not_converted_again_and_again(string type)
    {
        var parts = new Wire().Message(1, Numbers(type, Many));
        for (int i = 0; i < 20_000; i++) parts.Message(1, new Wire());
        var refused = Assert.Throws<InvalidMessageException>(() => Decode("Outer" + type, parts));
        Assert.Contains("it repeats the same message so often", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Surrogates_that_an_initializer_made_cost_nothing()
    {
        var rows = new Wire();
        for (int i = 0; i < Many; i++) rows.Message(1, new Wire().Message(1, new Wire().Number(1, i)));
        Assert.NotNull(Decode("Rows", rows));
    }

    [Fact]
    public void What_is_said_twice_is_read()
    {
        foreach (var type in (string[])["Table", "Set", "HiddenSet", "Sealed", "Tags", "TagStruct"])
        {
            var parts = new Wire().Message(1, Numbers(type, Many)).Message(1, Numbers(type, Many)).Message(1, Numbers(type, 1));
            Assert.NotNull(Decode("Outer" + type, parts));
        }
    }

    private static void AssertRefused(string type, string member, Wire parts)
    {
        var refused = Assert.Throws<InvalidMessageException>(() => Decode("Outer" + type, parts));
        Assert.StartsWith($"Sample.{type}, field 1 ({member}), byte ", refused.Message, StringComparison.Ordinal);
        Assert.Contains("it repeats the same message so often", refused.Message, StringComparison.Ordinal);
    }

    private static object? Decode(string type, Wire wire) => s_contracts.Value.Codec(type).Decode(wire.ToArray());

    private static int Count(object holder) => ((System.Collections.ICollection)holder.GetType().GetProperty("Value")!.GetValue(holder)!).Count;

    private static Wire Numbers(string type, int count)
    {
        var wire = new Wire();
        for (int i = 0; i < count; i++)
        {
            if (type is "Table" or "Roomy") wire.Message(1, new Wire().Number(1, i));
            else wire.Number(1, i);
        }

        return wire;
    }

    private static CompiledContracts Compile()
    {
        const string Types = """
            [ProtoContract] public class Table { [ProtoMember(1, OverwriteList = true)] public Dictionary<long, int> Value { get; set; } }
            [ProtoContract] public class Set { [ProtoMember(1, OverwriteList = true)] public HashSet<long> Value { get; set; } }
            public class Hidden : HashSet<long> { }
            [ProtoContract] public class HiddenSet { [ProtoMember(1, OverwriteList = true)] public Hidden Value { get; set; } }
            [ProtoContract] public class Roomy { [ProtoMember(1)] public Dictionary<int, int> Value { get; set; } = new(Room); private static int Room => 200_000; }
            [ProtoContract] public class Sealed
            {
                private IList<int> _value;
                [ProtoMember(1)] public IList<int> Value { get => _value; set => _value = new ReadOnlyCollection<int>(value); }
            }
            [ProtoContract(Surrogate = typeof(TagNumbers))] public class Tags { public List<int> Value; }
            [ProtoContract] public class TagNumbers
            {
                [ProtoMember(1)] public List<int> Value { get; set; }
                public static implicit operator Tags(TagNumbers value) => value == null ? null : new Tags { Value = value.Value?.ToList() };
                public static implicit operator TagNumbers(Tags value) => value == null ? null : new TagNumbers { Value = value.Value?.ToList() };
            }
            [ProtoContract(Surrogate = typeof(TagStructNumbers))] public struct TagStruct { public List<int> Value; }
            [ProtoContract] public struct TagStructNumbers
            {
                [ProtoMember(1)] public List<int> Value { get; set; }
                public static implicit operator TagStruct(TagStructNumbers value) => new TagStruct { Value = value.Value?.ToList() };
                public static implicit operator TagStructNumbers(TagStruct value) => new TagStructNumbers { Value = value.Value?.ToList() };
            }
            [ProtoContract] public class Row { [ProtoMember(1)] public Tags Value { get; set; } = new Tags { Value = new List<int> { 1, 2 } }; }
            [ProtoContract] public class Rows { [ProtoMember(1)] public List<Row> Value { get; set; } }

            """;
        string[] inner = ["Table", "Set", "HiddenSet", "Roomy", "Sealed", "Tags", "TagStruct"];
        var outer = string.Concat(inner.Select(static type => $"[ProtoContract] public class Outer{type} {{ [ProtoMember(1)] public {type} Value {{ get; set; }} }}\n"));
        return new CompiledContracts(Types + outer, ["Rows", "Roomy", .. inner.Select(static type => "Outer" + type)], []);
    }
}
