using Mux.Generators.Tests.Messages;

namespace Mux.Generators.Tests.Codecs;

/// <summary>The options of the attributes that the vectors do not reach.</summary>
public sealed class OptionTests
{
    // Required zeros are written, a required null is not, and neither is what equals its default.
    private const string Least = "0800" + "110000000000000000" + "2800";

    private static readonly MessageCodec s_codec = new ContractCodecs<IZoo>().Request("Options");

    [Fact]
    public void Required_zeros_are_written_and_defaults_are_not()
    {
        Assert.Equal(Least, Encode(new Options()));
    }

    [Fact]
    public void Values_that_differ_from_their_default_are_written()
    {
        Assert.Equal("0800" + "110000000000000000" + "2000" + "2800" + "3000", Encode(new Options { Five = 0, NullOrSeven = 0 }));
        Assert.Equal(Least, Encode(new Options { NullOrSeven = null }));
        Assert.Equal(7, Decode(Least).NullOrSeven);
    }

    [Fact]
    public void The_number_of_ProtoMember_wins_over_DataMember()
    {
        Assert.Equal(Least + "3803", Encode(new Options { SevenNotEight = 3 }));
        Assert.Equal(0, Decode("4003").SevenNotEight);
    }

    [Fact]
    public void An_attribute_on_the_backing_field_makes_it_a_field()
    {
        Assert.Equal(Least + "4804", Encode(new Options { ByField = 4 }));
        Assert.Equal(4, Decode("4804").ByField);
    }

    [Fact]
    public void A_Set_method_next_to_a_property_is_used()
    {
        Assert.Equal(6, Decode("5006").ByMethod);
    }

    [Fact]
    public void A_member_that_is_ignored_is_unknown()
    {
        Assert.Equal(Least, Encode(new Options { Ignored = 5 }));
        Assert.Equal(0, Decode("5805").Ignored);
    }

    [Fact]
    public void A_type_may_say_that_it_is_a_group_and_that_derived_objects_are_cut()
    {
        var options = new Options { Grouped = new DerivedGrouped { Id = 1 }, GroupedItems = [new Grouped { Id = 2 }, new Grouped()] };
        Assert.Equal(Least + "63080164" + "6b08026c" + "6b6c", Encode(options));
        Assert.Equal([2, 0], Decode("6b08026c" + "6b6c").GroupedItems!.Select(static item => item.Id));
    }

    [Fact]
    public void Texts_and_constants_of_other_types_are_converted_to_the_default()
    {
        var codec = new ContractCodecs<IZoo>().Request("Converted");
        Assert.Equal("980100" + "a80101", Convert.ToHexStringLower(codec.Encode(new Converted())));
        var changed = new Converted { Name = Medal.None, Names = Medal.Gold, Digits = Medal.None, Number = Medal.Gold, Letter = 'y', Yes = false, Text = "6", Typed = Medal.Gold };
        Assert.Equal("0800" + "1001" + "1800" + "2001" + "4079" + "4800" + "520136" + "6801" + "980100" + "a80101", Convert.ToHexStringLower(codec.Encode(changed)));
    }

    [Fact]
    public void Flags_of_options_say_what_the_properties_of_their_names_say()
    {
        var codec = new ContractCodecs<IZoo>().Request("Converted");
        Assert.Equal("980100" + "a201020102" + "aa01020304", Convert.ToHexStringLower(codec.Encode(new Converted { Packed = [1, 2], Overwritten = [3, 4] })));
        Assert.Equal([3, 4], ((Converted)codec.Decode(Convert.FromHexString("aa01020304"))!).Overwritten);
    }

    private static string Encode(Options options) => Convert.ToHexStringLower(s_codec.Encode(options));

    private static Options Decode(string hex) => (Options)s_codec.Decode(Convert.FromHexString(hex))!;
}
