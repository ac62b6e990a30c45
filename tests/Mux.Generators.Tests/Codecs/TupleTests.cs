using Mux.Generators.Tests.Messages;
using Mux.Serialization;

namespace Mux.Generators.Tests.Codecs;

/// <summary>Tuples, by name or by shape: numbered by position, written zero or not. The bytes were compared with those of protobuf-net.</summary>
public sealed class TupleTests
{
    private static readonly ContractCodecs<IMenagerie> s_codecs = new();
    private static readonly MessageCodec s_tuples = s_codecs.Request("Tuples");

    [Fact]
    public void Zeros_are_written_and_nulls_are_not()
    {
        var tuples = new Tuples
        {
            Value = (0, null),
            Maybe = (0, "m"),
            List = [(0, 0), (1, 2)],
            Class = Tuple.Create(0, (string?)null),
            Pair = new(0, new Coin(0, null)),
            Coin = new Coin(1, "g"),
            Tokens = [new Token("t", 5)],
            Rich = ([0, 1], [2], [3], Grade.None, null, null),
        };
        Assert.Equal(
            "0a020800" + "12050800" + "12016d" + "1a0408001000" + "1a0408011002" + "22020800" + "2a06" + "0800" + "12020800" + "33" + "0801" + "120167" + "34"
            + "3a050a01741005" + "420b" + "08000801" + "1002" + "1a0103" + "2000",
            Encode(tuples));
    }

    [Fact]
    public void All_of_them_come_back()
    {
        var tuples = new Tuples { Value = (3, "v"), Maybe = (4, null), List = [(5, 6)], Class = Tuple.Create(7, (string?)"c"), Pair = new(8, new Coin(9, "k")), Coin = new Coin(1, "g"), Tokens = [new Token("t", 5), default] };
        tuples.Rich = ([1], [], [2], Grade.Good, 0, new Leaf("l", 1));
        var read = Decode(Encode(tuples));
        Assert.Equal((tuples.Value, tuples.Maybe, tuples.Class, tuples.Pair, tuples.Coin), (read.Value, read.Maybe, read.Class, read.Pair, read.Coin));
        Assert.Equal(tuples.List, read.List);
        Assert.Equal(tuples.Tokens, read.Tokens);
        Assert.Equal([1], read.Rich.Numbers!);
        Assert.Null(read.Rich.Array);
        Assert.Equal((Grade.Good, 0, "l"), (read.Rich.Grade, read.Rich.Maybe, read.Rich.Leaf!.Name));
    }

    [Fact]
    public void What_the_bytes_do_not_hold_stays_as_it_was()
    {
        Assert.Equal((9, "seven"), Decode("0a020809").Value);
        Assert.Equal((5, "x"), Decode("0a020805" + "0a03120178").Value);
        Assert.Equal(new Coin(5, "g"), Decode("33" + "120167" + "34" + "3202" + "0805").Coin);
    }

    [Fact]
    public void Tuples_may_be_roots_and_arguments_and_longer_than_seven()
    {
        Assert.Equal("0800", Encode("Pair", (0, (string?)null)));
        Assert.Equal((5, "x"), s_codecs.Request("Pair").Decode(Convert.FromHexString("0805120178")));
        Assert.Equal("08011002180320042805300638074205" + "0808120139", Encode("Long", (1, 2, 3, 4, 5, 6, 7, 8, "9")));
        Assert.Equal((1, 2, 3, 4, 5, 6, 7, 8, "9"), s_codecs.Request("Long").Decode(Convert.FromHexString("08011002180320042805300638074205" + "0808120139")));
        Assert.Equal("0800" + "120162", Encode("Coin", new Coin(0, "b")));
        var several = s_codecs.Response("Several");
        Assert.Equal("0a0208000a0508011201" + "61", Convert.ToHexStringLower(several.Encode(new (int A, string? B)[] { (0, null), (1, "a") })));
    }

    [Fact]
    public void A_constructor_with_another_order_numbers_by_its_own()
    {
        Assert.Equal(new Token("t", 5), Assert.Single(Decode("3a050a01741005").Tokens!));
    }

    [Fact]
    public void A_tuple_of_a_derived_type_is_refused()
    {
        var exception = Assert.Throws<InvalidMessageException>(() => s_tuples.Encode(new Tuples { Coin = new GoldCoin(1, "g", 24) }));
        Assert.Contains("Messages.Coin: the object is a Mux.Generators.Tests.Messages.GoldCoin", exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void An_error_names_the_tuple_and_its_member()
    {
        var exception = Assert.Throws<InvalidMessageException>(() => Decode("0a030a0161"));
        Assert.Equal("System.ValueTuple<int, string>, field 1 (Item1), byte 3: it is written as Bytes, which does not fit its type.", exception.Message.Replace("string?", "string", StringComparison.Ordinal));
    }

    private static string Encode(string method, object value) => Convert.ToHexStringLower(s_codecs.Request(method).Encode(value));

    private static string Encode(Tuples value) => Convert.ToHexStringLower(s_tuples.Encode(value));

    private static Tuples Decode(string hex) => (Tuples)s_tuples.Decode(Convert.FromHexString(hex))!;
}
