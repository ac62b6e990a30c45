using System.Collections.Immutable;
using Mux.Generators.Tests.Codecs;
using Mux.Generators.Tests.Messages;
using Mux.Serialization;

namespace Mux.Generators.Tests.Containers;

/// <summary>Collections and maps that are an argument or a result.</summary>
public sealed class RootTests
{
    private static readonly ContractCodecs<IContainers> s_codecs = new();

    [Fact]
    public void A_map_travels_as_entries_in_field_1()
    {
        var words = new Dictionary<string, int> { ["a"] = 1, ["b"] = 0 };
        Assert.Equal("0a050a016110010a030a0162", Encode("Words", words));
        Assert.Equal(words, Decode("Words", "0a050a016110010a030a0162"));
        var leaves = Assert.IsType<Dictionary<int, Leaf>>(Decode("Leaves", "0a06080712021007"));
        Assert.Equal((7, 7), (leaves.Single().Key, leaves.Single().Value.Weight));
    }

    [Fact]
    public void The_last_entry_of_a_key_counts()
    {
        Assert.Equal(new Dictionary<string, int> { ["a"] = 2 }, Decode("Words", "0a050a01611001" + "0a050a01611002"));
    }

    [Theory]
    [InlineData("Words")]
    [InlineData("Leaves")]
    [InlineData("Texts")]
    [InlineData("Set")]
    [InlineData("Stack")]
    public void Null_and_empty_arrive_as_an_empty_collection(string method)
    {
        Assert.Equal(string.Empty, Encode(method, null));
        Assert.Empty((System.Collections.IEnumerable)Decode(method, string.Empty)!);
    }

    [Fact]
    public void An_immutable_array_is_never_a_default_one()
    {
        Assert.Equal(string.Empty, Encode("Frozen", default(ImmutableArray<int>)));
        Assert.False(((ImmutableArray<int>)Decode("Frozen", string.Empty)!).IsDefault);
        Assert.Equal([1, 2], (ImmutableArray<int>)Decode("Frozen", "08010802")!);
    }

    [Fact]
    public void A_stack_comes_back_as_it_was()
    {
        Assert.Equal("080308020801", Encode("Stack", new Stack<int>([1, 2, 3])));
        Assert.Equal([3, 2, 1], (Stack<int>)Decode("Stack", "080308020801")!);
    }

    [Fact]
    public void What_is_wrong_in_an_entry_names_the_type()
    {
        var refused = Assert.Throws<InvalidMessageException>(() => Decode("Words", "0a03" + "0a0561"));
        Assert.StartsWith("System.Collections.Generic.Dictionary<string, int>, field 1 (Key), byte 4: ", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Arguments_that_are_not_sent_arrive_empty()
    {
        Assert.Equal(string.Empty, Encode("Several", s_codecs.Request("Several").Decode([])));
        var arguments = s_codecs.Request("Several").Decode([])!;
        Assert.All(arguments.GetType().GetFields(), field => Assert.Empty((System.Collections.IEnumerable)field.GetValue(arguments)!));
    }

    private static string Encode(string method, object? value) => Convert.ToHexStringLower(s_codecs.Request(method).Encode(value));

    private static object? Decode(string method, string hex) => s_codecs.Request(method).Decode(Convert.FromHexString(hex));
}
