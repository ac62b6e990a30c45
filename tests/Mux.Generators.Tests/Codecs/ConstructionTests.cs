using Mux.Generators.Tests.Messages;

namespace Mux.Generators.Tests.Codecs;

/// <summary>How objects of unusual types come to be, and what is generic in them.</summary>
public sealed class ConstructionTests
{
    private static readonly ContractCodecs<IMenagerie> s_codecs = new();

    [Fact]
    public void A_message_may_be_generic_in_itself()
    {
        var page = new Page<Page<Leaf>> { Items = [new Page<Leaf> { Items = [new Leaf("a", 1)], Total = 1 }], Total = 2 };
        Assert.Equal("0a09" + "0a05" + "0a0161" + "1001" + "1001" + "1002", Encode("Pages", page));
        var read = (Page<Page<Leaf>>)s_codecs.Request("Pages").Decode(s_codecs.Request("Pages").Encode(page))!;
        Assert.Equal("a", Assert.Single(Assert.Single(read.Items).Items).Name);
    }

    [Fact]
    public void A_generic_base_is_of_each_construction_what_it_includes()
    {
        Assert.Equal("2a02" + "0805" + "0807", Encode("Numbers", new NumberCrate { Limit = 5 }.With(7)));
        Assert.Equal("3203" + "0a016c" + "0a0163", Encode("Labels", new Labeled<string>().WithLabel("l").With("c")));
        var number = Assert.IsType<NumberCrate>(s_codecs.Request("Numbers").Decode(Convert.FromHexString("2a0208050807")));
        Assert.Equal((5, 7), (number.Limit, number.Content));
        var label = Assert.IsType<Labeled<string>>(s_codecs.Request("Labels").Decode(Convert.FromHexString("32030a016c0a0163")));
        Assert.Equal(("l", "c"), (label.Label, label.Content));
        Assert.Equal("c", ((Crate<string>)s_codecs.Request("Labels").Decode(Convert.FromHexString("2a00" + "0a0163"))!).Content);
    }

    [Fact]
    public void A_struct_is_all_zero_whatever_its_constructor_does()
    {
        var slot = (Slot)s_codecs.Request("Slot").Decode([])!;
        Assert.Equal((0, 0), (slot.Number, slot.Hidden));
        slot = (Slot)s_codecs.Request("Slot").Decode(Convert.FromHexString("1005"))!;
        Assert.Equal((0, 5), (slot.Number, slot.Hidden));
        Assert.Equal("0803" + "1004", Encode("Slot", new Slot()));
    }

    [Fact]
    public void Tuples_and_surrogates_have_the_level_of_protobuf_net()
    {
        var id = new Guid("00112233-4455-6677-8899-aabbccddeeff");
        const string old = "0a12" + "093322110055447766" + "118899aabbccddeeff";
        const string text = "0a24" + "30303131323233332d343435352d363637372d383839392d616162626363646465656666";
        var tuples = new LeveledTuples { Old = (id, 1), New = (id, 2), Nested = [(id, (DateTime.UnixEpoch.AddSeconds(1), 3))], Record = new LeveledRecord(id), Key = new LeveledKey(id) };
        Assert.Equal("0a16" + old + "1001" + "1228" + text + "1002" + "1a2e" + text + "1206" + "0a020801" + "1003" + "2226" + text + "2a24" + text[4..], Encode("Leveled", tuples));
        var read = (LeveledTuples)s_codecs.Request("Leveled").Decode(s_codecs.Request("Leveled").Encode(tuples))!;
        Assert.Equal((tuples.Old, tuples.New, tuples.Record, tuples.Key), (read.Old, read.New, read.Record, read.Key));
        Assert.Equal(tuples.Nested, read.Nested);

        var date = new LeveledTuples { Old = (Guid.Empty, 0), Date = new LeveledDate { Date = new DateTime(2020, 1, 1, 0, 0, 0, DateTimeKind.Unspecified) } };
        Assert.Equal(date.Date.Date, ((LeveledTuples)s_codecs.Request("Leveled").Decode(s_codecs.Request("Leveled").Encode(date))!).Date!.Date);
    }

    private static string Encode(string method, object value) => Convert.ToHexStringLower(s_codecs.Request(method).Encode(value));
}
