using Mux.Generators.Tests.Codecs;
using Mux.Generators.Tests.Messages;
using Mux.Serialization;

namespace Mux.Generators.Tests.Containers;

/// <summary>What decoding makes of a message is in proportion to its bytes, whatever they are.</summary>
public sealed class MemoryTests
{
    // The longest message that is taken unless somebody chooses.
    private const int Longest = 4 * 1024 * 1024;

    // What a message may make is eight times its bytes and 4 MiB; lists that grow leave what they had before to the collector.
    private const int MaxAllocated = 18 * Longest;

    private static readonly MessageCodec s_sut = new ContractCodecs<IContainers>().Request("Crowd");

    public static TheoryData<string, string, string> BlowUps => new()
    {
        { "rows without columns", "0a00", "Crowd, field 1 (Rows)" },
        { "rows that are groups", "0b0c", "Crowd, field 1 (Rows)" },
        { "rows in an array", "3a00", "Crowd, field 7 (Array)" },
        { "values that are missing", "2a020801", "Crowd, field 5 (Map)" },
        { "values without columns", "2a0408011200", "Crowd.Map, field 2 (Value)" },
        { "rows in wrappers", "9a01020a00", "Crowd.Wrapped, field 1 (Value)" },
        { "messages in a queue", "8a0100", "Crowd, field 17 (Queue)" },
        { "lists of one number", "a201020801", "Boxes" },
        { "tables of one number", "a201021801", "Boxes" },
        { "tables with locks", "a201021200", "Boxes" },
        { "queues with segments", "a201022001", "Boxes" },
        { "rows that are read in a second pass", "aa01081200120012001200", "Ledger, field 2 (Rows)" },
        { "lists between other fields", "a20106080128010801", "Boxes" },
    };

    [Theory]
    [MemberData(nameof(BlowUps))]
    public void Few_bytes_that_make_much_memory_are_refused_before_they_have_made_it(string what, string part, string where)
    {
        var bytes = Wire.Repeated(part, Longest);
        long before = GC.GetAllocatedBytesForCurrentThread();
        var refused = Assert.Throws<InvalidMessageException>(() => s_sut.Decode(bytes));
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, MaxAllocated);
        Assert.True(refused.Message.Contains(where, StringComparison.Ordinal), $"{what}: {refused.Message}");
        Assert.Contains($"would take more than 8 times its {bytes.Length} bytes and 4194304 more", refused.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(4, "Chain")] // nodes for numbers of one byte
    public void Nodes_of_packed_numbers_are_refused_before_they_are_made(int field, string member)
    {
        var bytes = new Wire().Block(field, new byte[Longest]).ToArray();
        long before = GC.GetAllocatedBytesForCurrentThread();
        var refused = Assert.Throws<InvalidMessageException>(() => s_sut.Decode(bytes));
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, MaxAllocated);
        Assert.Contains($"Crowd, field {field} ({member})", refused.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("Packed")]
    [InlineData("PackedList")]
    public void Packed_numbers_take_what_they_take_and_nothing_to_grow(string member)
    {
        int field = member == "Packed" ? 6 : 15;
        _ = s_sut.Decode(new Wire().Block(field, [0]).ToArray()); // what is made once
        var bytes = new Wire().Block(field, new byte[Longest]).ToArray();
        long before = GC.GetAllocatedBytesForCurrentThread();
        var crowd = (Crowd)s_sut.Decode(bytes)!;
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, (sizeof(long) * Longest) + 4096);
        Assert.Equal(Longest, crowd.Packed?.Length ?? crowd.PackedList!.Count);
    }

    [Fact]
    public void Honest_messages_of_the_longest_length_are_read_whatever_they_consist_of()
    {
        AssertRead(new Wire().Message(17, new Wire().Number(1, 1)), static crowd => crowd.Queue!.Count); // a number each
        AssertRead(new Wire().Block(16, Bytes(new Spot { X = 1, Y = 2 })), static crowd => crowd.Spots!.Count);
        AssertRead(new Wire().Block(12, [0x61]), static crowd => crowd.Texts!.Count); // a letter each
        AssertRead(new Wire().Block(12, []), static crowd => crowd.Texts!.Count);
        AssertRead(new Wire().Message(1, new Wire().Block(1, new byte[46])), static crowd => crowd.Rows!.Count); // one column of forty each

        var entries = new Wire();
        for (int i = 0; entries.Length < Longest - 16; i++) entries.Message(2, new Wire().Number(1, i).Number(2, 1));
        Assert.InRange(((Crowd)s_sut.Decode(entries.ToArray())!).Numbers!.Count, Longest / 10, Longest);

        var marks = new Wire();
        for (int i = 0; marks.Length < Longest - 16; i++) marks.Number(3, i);
        Assert.InRange(((Crowd)s_sut.Decode(marks.ToArray())!).Marks!.Count, Longest / 5, Longest);

        var words = new Wire();
        for (int i = 0; words.Length < Longest - 16; i++) words.Message(13, new Wire().Block(1, BitConverter.GetBytes(i)).Number(2, i));
        Assert.NotEmpty(((Crowd)s_sut.Decode(words.ToArray())!).Words!);
    }

    [Fact]
    public void A_short_message_makes_what_it_likes()
    {
        AssertRead(new Wire().Message(1, new Wire()), static crowd => crowd.Rows!.Count, 20_000);
        AssertRead(new Wire().Message(20, new Wire().Message(2, new Wire().Number(1, 1))), static crowd => crowd.Boxes!.Count, 8_000);
    }

    [Fact]
    public void What_is_made_in_nested_messages_counts_as_one()
    {
        var inner = Wire.Repeated("0a00", Longest / 4);
        var bytes = new Wire().Block(14, inner).Block(14, inner).Block(14, new Wire().Block(14, inner).Block(14, inner).ToArray()).ToArray();
        var refused = Assert.Throws<InvalidMessageException>(() => s_sut.Decode(bytes));
        Assert.Contains($"8 times its {bytes.Length} bytes", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_map_that_comes_entry_by_entry_grows_like_any_other()
    {
        var parts = new Wire();
        for (int i = 0; i < 20_000; i++) parts.Message(14, new Wire().Message(13, new Wire().Block(1, System.Text.Encoding.ASCII.GetBytes($"{i}"))));
        var bytes = parts.ToArray();
        s_sut.Decode(bytes);
        long before = GC.GetAllocatedBytesForCurrentThread();
        Assert.Equal(20_000, ((Crowd)s_sut.Decode(bytes)!).Inner!.Words!.Count);
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 24 * bytes.Length);
    }

    [Fact]
    public void A_large_preset_costs_nothing()
    {
        var contracts = new CompiledContracts(
            "[ProtoContract] public class Preset { [ProtoMember(1)] public int[] Numbers { get; set; } = new int[50_000]; [ProtoMember(2)] public HashSet<int> Set { get; set; } = new(Enumerable.Range(0, 20_000)); }",
            ["Preset"], []);
        var preset = contracts.Decode("Preset", "0801" + "10ffff7f")!;
        Assert.Equal(50_001, ((int[])preset.GetType().GetProperty("Numbers")!.GetValue(preset)!).Length);
        Assert.Equal(20_001, ((HashSet<int>)preset.GetType().GetProperty("Set")!.GetValue(preset)!).Count);
    }

    private static void AssertRead(Wire part, Func<Crowd, int> count, int length = Longest)
    {
        Assert.Equal(length / part.Length, count((Crowd)s_sut.Decode(Wire.Repeated(Convert.ToHexString(part.ToArray()), length))!));
    }

    private static byte[] Bytes(Spot spot) => [0x0d, .. BitConverter.GetBytes(spot.X), 0x15, .. BitConverter.GetBytes(spot.Y)];
}
