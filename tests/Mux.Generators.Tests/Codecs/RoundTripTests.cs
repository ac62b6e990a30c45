using System.Text;
using Mux.Generators.Tests.Messages;
using Mux.Generators.Tests.Vectors;

namespace Mux.Generators.Tests.Codecs;

public sealed class RoundTripTests
{
    private static readonly ContractCodecs<IZoo> s_codecs = new();

    [Fact]
    public void Random_messages_come_back_as_they_were()
    {
        int seed = Environment.TickCount;
        for (int i = 0; i < 300; i++)
        {
            var specimen = new SpecimenFactory(seed + i).Next();
            var bytes = s_codecs.Request("Specimen").Encode(specimen);
            var decoded = s_codecs.Request("Specimen").Decode(bytes);
            var difference = ObjectComparer.Difference(specimen, decoded);
            Assert.True(difference is null, $"seed {seed + i}: {difference}");
            Assert.Equal(bytes, s_codecs.Request("Specimen").Encode(decoded));
        }
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(3)]
    [InlineData(4)]
    [InlineData(7)]
    [InlineData(8)]
    [InlineData(9)]
    [InlineData(42)]
    [InlineData(43)]
    [InlineData(127)]
    [InlineData(128)]
    [InlineData(16384)]
    public void Texts_of_any_length_and_script_come_back(int length)
    {
        foreach (var unit in (string[])["a", "é", "東", "\U0001F600"])
        {
            var text = new StringBuilder().Insert(0, unit, length).ToString();
            var codec = s_codecs.Request("Specimen");
            var specimen = new Specimen { Text = text, Far = text + "z", Texts = ["z" + text] };
            Assert.Null(ObjectComparer.Difference(specimen, codec.Decode(codec.Encode(specimen))));
        }
    }

    [Fact]
    public void A_message_may_be_larger_than_the_memory_kept_for_encoding()
    {
        var specimen = new Specimen { Text = new string('x', 300_000), Bytes = new byte[200_000], Inner = new Specimen { Text = new string('é', 100_000) } };
        var decoded = s_codecs.Request("Specimen").Decode(s_codecs.Request("Specimen").Encode(specimen));
        Assert.Null(ObjectComparer.Difference(specimen, decoded));
    }

    [Fact]
    public void Members_that_are_not_accessible_are_written_and_read()
    {
        var secret = Secret.Create("root", 3, "blue", 7);
        var codec = s_codecs.Request("Secret");
        var decoded = Assert.IsType<Secret>(codec.Decode(codec.Encode(secret)));
        Assert.Equal("root", decoded.Login);
        Assert.Equal(3, decoded.Attempts);
        Assert.Equal("blue", decoded.TellHint());
        Assert.Equal(7, decoded.Level);
        Assert.Equal(["preset", "preset"], decoded.Roles);
    }

    [Fact]
    public void A_generic_message_is_read_with_its_items()
    {
        var codec = s_codecs.Request("Page");
        var page = new Page<Leaf> { Items = [new Leaf("a", 1), new Leaf(null, 0)], Total = 2 };
        Assert.Null(ObjectComparer.Difference(page, codec.Decode(codec.Encode(page))));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(3)]
    public void A_list_that_travels_alone_arrives_as_a_list(int count)
    {
        var texts = Enumerable.Range(0, count).Select(static i => $"{i}").ToList();
        Assert.Equal(texts, s_codecs.Response("Texts").Decode(s_codecs.Response("Texts").Encode(texts)));
        var numbers = Enumerable.Range(0, count).ToArray();
        Assert.Equal(numbers, s_codecs.Response("Numbers").Decode(s_codecs.Response("Numbers").Encode(numbers)));
    }

    [Fact]
    public void A_list_that_is_null_arrives_empty()
    {
        Assert.Equal(new List<string>(), s_codecs.Response("Texts").Decode(s_codecs.Response("Texts").Encode(null)));
    }

    [Theory]
    [InlineData(null, "")]
    [InlineData("", "0a00")]
    [InlineData("ab", "0a026162")]
    public void A_string_that_travels_alone_keeps_null_apart_from_empty(string? text, string hex)
    {
        var bytes = s_codecs.Response("Text").Encode(text);
        Assert.Equal(hex, Convert.ToHexStringLower(bytes));
        Assert.Equal(text, s_codecs.Response("Text").Decode(bytes));
    }

    [Theory]
    [InlineData(null, "")]
    [InlineData(Grade.None, "0800")]
    [InlineData(Grade.Lowest, "088080feffffffffffff01")]
    public void A_nullable_enum_that_travels_alone_keeps_null_apart_from_zero(Grade? grade, string hex)
    {
        var bytes = s_codecs.Response("Grade").Encode(grade);
        Assert.Equal(hex, Convert.ToHexStringLower(bytes));
        Assert.Equal(grade, s_codecs.Response("Grade").Decode(bytes));
    }
}
