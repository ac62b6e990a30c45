using Mux.Generators.Tests.Messages;

namespace Mux.Generators.Tests.Codecs;

/// <summary>ShouldSerializeX and XSpecified; the bytes were recorded from protobuf-net.</summary>
public sealed class ConditionTests
{
    private static readonly MessageCodec s_codec = new ContractCodecs<IMenagerie>().Request("Conditional");

    [Fact]
    public void A_condition_writes_a_zero_and_leaves_out_what_it_denies()
    {
        Assert.Equal("0800" + "5000", Encode(new Conditional()));
        Assert.Equal("0805" + "5000", Encode(new Conditional { Always = 5, Known = 3, Numbers = [1], Required = 4, Array = [1], Leaf = new Leaf("a", 1), Inherited = 2, Text = "no" }));
        Assert.Equal("0800" + "1003" + "5000", Encode(new Conditional { Known = 3, KnownSpecified = true }));
        Assert.Equal("0800" + "1000" + "5000", Encode(new Conditional { KnownSpecified = true }));
    }

    [Fact]
    public void A_condition_makes_nothing_of_null()
    {
        Assert.Equal("0800" + "5000" + "6a00", Encode(new Conditional { NumbersSpecified = true, ArraySpecified = true, LeafSpecified = true, FilledSpecified = true, PointSpecified = true }));
    }

    [Fact]
    public void Members_of_every_kind_may_have_one()
    {
        var conditional = new Conditional { Text = "a", Numbers = [1, 2], NumbersSpecified = true, Maybe = 0, Array = [3], ArraySpecified = true, Leaf = new Leaf(null, 1), LeafSpecified = true };
        conditional.Filled.Add("f");
        conditional.FilledSpecified = true;
        conditional.Require();
        Assert.Equal("0800" + "1a0161" + "20012002" + "2800" + "3000" + "3803" + "42021001" + "5000" + "620166", Encode(conditional));
    }

    [Fact]
    public void What_is_private_in_a_base_class_decides_nothing()
    {
        Assert.Equal("0800" + "5000" + "5809", Encode(new Conditional { Unseen = 9 }));
    }

    [Fact]
    public void Reading_a_member_says_that_it_is_there()
    {
        var read = Decode("1000" + "220101" + "3000" + "3a0102" + "4200" + "4801" + "620161" + "6a00");
        Assert.True(read is { KnownSpecified: true, NumbersSpecified: true, ArraySpecified: true, LeafSpecified: true, InheritedSpecified: true, FilledSpecified: true, PointSpecified: true });
        Assert.True(read.TellRequired());
        read = Decode("22003a00");
        Assert.True(read is { KnownSpecified: false, NumbersSpecified: true, ArraySpecified: true, LeafSpecified: false, InheritedSpecified: false, FilledSpecified: false });
        Assert.False(read.TellRequired());
    }

    private static string Encode(Conditional value) => Convert.ToHexStringLower(s_codec.Encode(value));

    private static Conditional Decode(string hex) => (Conditional)s_codec.Decode(Convert.FromHexString(hex))!;
}
