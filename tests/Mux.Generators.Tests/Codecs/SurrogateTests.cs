using Mux.Generators.Tests.Messages;
using Mux.Serialization;

namespace Mux.Generators.Tests.Codecs;

/// <summary>Types that are written as another: a message, a tuple, a string, a number. The bytes were compared with those of protobuf-net.</summary>
public sealed class SurrogateTests
{
    private const string Zero = "2204" + "08001000" + "4000" + "6000"; // a struct is written whatever it holds, and a surrogate in its field, too

    private static readonly ContractCodecs<IMenagerie> s_codecs = new();
    private static readonly MessageCodec s_thermometer = s_codecs.Request("Thermometer");

    [Fact]
    public void An_object_is_written_and_read_as_its_surrogate()
    {
        var thermometer = new Thermometer { Now = new Degrees(1001.5), Log = [new Degrees(2), new Degrees(0)], Group = new Degrees(3) };
        Assert.Equal("0a05" + "08dc0b" + "1001" + "1203" + "08d00f" + "1200" + "1b" + "08b817" + "1c" + Zero, Encode(thermometer));
        var read = Decode(Encode(thermometer));
        Assert.Equal(1001.5, read.Now!.Kelvin);
        Assert.Equal([2, 0], read.Log!.Select(static degrees => degrees.Kelvin));
        Assert.Equal(3, read.Group!.Kelvin);
    }

    [Fact]
    public void A_surrogate_may_be_the_root()
    {
        var codec = s_codecs.Request("Degrees");
        Assert.Equal("08d00f", Convert.ToHexStringLower(codec.Encode(new Degrees(2))));
        Assert.Equal(2, ((Degrees)codec.Decode(Convert.FromHexString("08d00f"))!).Kelvin);
        Assert.Equal(0, ((Degrees)codec.Decode([])!).Kelvin);
        Assert.Equal("x", ((Label)s_codecs.Request("Label").Decode(Convert.FromHexString("0a0178"))!).Text);
    }

    [Fact]
    public void A_surrogate_that_comes_twice_is_merged_through_the_object()
    {
        Assert.Equal(1000.005, Decode("0a020805" + "0a021001").Now!.Kelvin, precision: 6);
    }

    [Fact]
    public void A_struct_may_be_written_by_a_tuple()
    {
        Assert.Equal("2204" + "08021005" + "2a04" + "08001000" + "4000" + "6000", Encode(new Thermometer { Volume = new Volume(2005), MaybeVolume = new Volume(0) }));
        var read = Decode("2204" + "08021005" + "2a021001");
        Assert.Equal((2005, 1), (read.Volume.Millilitres, read.MaybeVolume!.Value.Millilitres));
    }

    [Fact]
    public void A_surrogate_that_is_no_message_stands_in_the_field()
    {
        var thermometer = new Thermometer
        {
            Label = new Label { Text = "a" },
            Labels = [new Label { Text = "b" }, new Label()],
            Level = new Level(-1),
            Levels = [new Level(1), new Level(0)],
            MaybeLevel = new Level(0),
            LabelArray = [new Label { Text = "c" }],
        };
        var hex = "220408001000" + "320161" + "3a0162" + "3a00" + "40ffffffffffffffffff01" + "4801" + "4800" + "5000" + "5a0163" + "6000";
        Assert.Equal(hex, Encode(thermometer));
        var read = Decode(hex);
        Assert.Equal(("a", -1, 0), (read.Label!.Text, read.Level.Value, read.MaybeLevel!.Value.Value));
        Assert.Equal(["b", ""], read.Labels!.Select(static label => label.Text));
        Assert.Equal([1, 0], read.Levels!.Select(static level => level.Value));
        Assert.Equal("c", Assert.Single(read.LabelArray!).Text);
    }

    [Fact]
    public void A_number_is_read_from_any_integer_and_a_list_of_them_from_no_block()
    {
        Assert.Equal(5, Decode("4505000000").Level.Value);
        Assert.Equal([5], Decode("4d05000000").Levels!.Select(static level => level.Value));
        var exception = Assert.Throws<InvalidMessageException>(() => Decode("4a0105"));
        Assert.Contains("Thermometer, field 9 (Levels)", exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void An_object_without_a_surrogate_is_refused()
    {
        var exception = Assert.Throws<InvalidMessageException>(() => s_thermometer.Encode(new Thermometer { Now = new Degrees(double.NaN) }));
        Assert.Contains("Messages.Degrees: its surrogate is null", exception.Message, StringComparison.Ordinal);
    }

    private static string Encode(Thermometer value) => Convert.ToHexStringLower(s_thermometer.Encode(value));

    private static Thermometer Decode(string hex) => (Thermometer)s_thermometer.Decode(Convert.FromHexString(hex))!;
}
