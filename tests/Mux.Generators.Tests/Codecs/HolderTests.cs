using Mux.Generators.Tests.Messages;
using Mux.Serialization;

namespace Mux.Generators.Tests.Codecs;

/// <summary>Types that are special as a whole, as items of collections and in maps; the bytes were compared with those of protobuf-net.</summary>
public sealed class HolderTests
{
    private static readonly MessageCodec s_codec = new ContractCodecs<IMenagerie>().Request("Holder");

    [Fact]
    public void They_are_items_and_values_like_any_other()
    {
        var holder = new Holder
        {
            Labels = new() { [1] = new Label { Text = "a" }, [2] = new Label { Text = string.Empty } },
            Scores = new() { [1] = new Score(0) },
            Levels = new() { [1] = new Level(0) },
            Degrees = new() { [1] = new Degrees(0) },
            Plants = new() { [1] = new Tree { Rings = 2 } },
            Animals = new() { [1] = new Animal() },
            Coins = new() { [0] = new Coin(0, null) },
            Pairs = new() { [0] = (0, 0) },
            Dogs = new() { [1] = new Dog() },
            Purse = [new Coin(0, "a")],
            Zoo = [Fish.Create("f", salt: true), new Animal()],
            ByCoin = new() { [new Coin(0, null)] = "x" },
            ByLevel = new() { [new Level(2)] = 0 },
            Names = [new Label { Text = "n" }],
        };
        Assert.Equal(
            "0a050801120161" + "0a0408021200" + "120408011000" + "1a0408011000" + "220408011200" + "2a0808011204" + "4a020802" + "320408011200" + "3a0412020800" + "4206120408001000" + "4a0608011202" + "5200"
            + "52050800120161" + "5a07" + "1b08011c0a0166" + "5a00" + "62070a020800120178" + "6a020802" + "72016e",
            Encode(holder));

        var read = Decode(Encode(holder));
        Assert.Equal(("a", 0, 0), (read.Labels![1]!.Text, read.Scores![1]!.Points, read.Levels![1].Value));
        Assert.Equal(0, read.Degrees![1]!.Kelvin);
        Assert.Equal(2, Assert.IsType<Tree>(read.Plants![1]).Rings);
        Assert.IsType<Animal>(read.Animals![1]);
        Assert.IsType<Dog>(read.Dogs![1]);
        Assert.Equal(new Coin(0, null), read.Coins![0]);
        Assert.Equal((0, 0), read.Pairs![0]);
        Assert.Equal(new Coin(0, "a"), Assert.Single(read.Purse!));
        Assert.IsType<Fish>(read.Zoo[0]);
        Assert.Equal("x", read.ByCoin![new Coin(0, null)]);
        Assert.Equal(0, read.ByLevel![new Level(2)]);
        Assert.Equal("n", Assert.Single(read.Names!).Text);
    }

    [Fact]
    public void A_value_that_is_missing_in_a_map_is_what_is_made_of_nothing()
    {
        Assert.Equal(string.Empty, Decode("0a020801").Labels![1]!.Text);
        Assert.Equal(0, Decode("12020801").Scores![1]!.Points);
        Assert.Equal(0, Decode("1a020801").Levels![1].Value);
        Assert.Equal(0, Decode("22020801").Degrees![1]!.Kelvin);
        Assert.IsType<Animal>(Decode("32020801").Animals![1]);
        Assert.Equal(new Coin(0, null), Decode("3a020801").Coins![1]);
        Assert.Equal((0, 0), Decode("42020801").Pairs![1]);
        Assert.Contains("is abstract", Refuse("2a020801"), StringComparison.Ordinal);
        Assert.Contains("of another class: expected Mux.Generators.Tests.Messages.Dog", Refuse("4a020801"), StringComparison.Ordinal);
    }

    [Fact]
    public void Null_in_a_map_is_left_out_and_comes_back_as_what_is_made_of_nothing()
    {
        Assert.Equal("0a020801" + "12020801" + "22020801" + "32020801" + "3a020801", Encode(new Holder { Labels = new() { [1] = null }, Scores = new() { [1] = null }, Degrees = new() { [1] = null }, Animals = new() { [1] = null }, Coins = new() { [1] = null } }));
    }

    [Fact]
    public void Objects_of_derived_classes_count_with_what_they_take()
    {
        var bytes = new List<byte>();
        for (int i = 0; i < 400_000; i++) bytes.AddRange([0x5a, 0x04, 0x52, 0x02, 0x3a, 0x00]);
        var exception = Assert.Throws<InvalidMessageException>(() => s_codec.Decode([.. bytes]));
        Assert.Contains("would take more than", exception.Message, StringComparison.Ordinal);
    }

    private static string Encode(Holder value) => Convert.ToHexStringLower(s_codec.Encode(value));

    private static Holder Decode(string hex) => (Holder)s_codec.Decode(Convert.FromHexString(hex))!;

    private static string Refuse(string hex) => Assert.Throws<InvalidMessageException>(() => Decode(hex)).Message;
}
