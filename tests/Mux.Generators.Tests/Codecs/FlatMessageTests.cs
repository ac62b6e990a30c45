#pragma warning disable CS0612 // generated code is marked as obsolete, so that it may name what users mark
using Mux.Generators.Tests.Messages;
using Mux.Generators.Tests.Vectors;
using Mux.Protobuf;
using Mux.Serialization;
using BedCodec = Mux.Generated.Mux_Generators_Tests.Mux_Generators_Tests_Messages_Bed_Codec;
using SeedCodec = Mux.Generated.Mux_Generators_Tests.Mux_Generators_Tests_Messages_Seed_Codec;

namespace Mux.Generators.Tests.Codecs;

/// <summary>Messages of numbers and texts alone are written and read in place. What they mean, and what is refused, is the same as with a writer's block and a reader of their own.</summary>
public sealed class FlatMessageTests
{
    private const int Rounds = 5000;
    private const string BedName = "Mux.Generators.Tests.Messages.Bed";
    private const string SeedName = "Mux.Generators.Tests.Messages.Seed";

    private static readonly MessageCodec s_bed = new ContractCodecs<IZoo>().Request("Bed");

    [Fact]
    public void A_bed_comes_back_wherever_its_seeds_stand()
    {
        int seed = Environment.TickCount;
        var random = new Random(seed);
        for (int i = 0; i < 200; i++)
        {
            var bed = NextBed(random, depth: 2);
            var difference = ObjectComparer.Difference(bed, s_bed.Decode(s_bed.Encode(bed)));
            Assert.True(difference is null, $"seed {seed}, round {i}: {difference}");
        }
    }

    [Fact]
    public void Bytes_that_are_cut_or_changed_mean_the_same_as_for_a_reader()
    {
        int seed = Environment.TickCount;
        var random = new Random(seed);
        for (int i = 0; i < Rounds; i++)
        {
            var bytes = s_bed.Encode(NextBed(random, depth: 1));
            if (bytes.Length == 0) continue;
            for (int change = random.Next(3); change > 0; change--) bytes[random.Next(bytes.Length)] = (byte)random.Next(256);
            bytes = bytes[..random.Next(bytes.Length + 1)];
            var (fast, refused) = Decode(bytes);
            var (careful, carefullyRefused) = Decode(LongTags.Of(bytes));
            var difference = refused != carefullyRefused ? $"'{refused}' and '{carefullyRefused}'" : ObjectComparer.Difference(fast, careful);
            Assert.True(difference is null, $"seed {seed}, round {i}: {difference}: {Convert.ToHexString(bytes)}");
        }
    }

    [Theory]
    [InlineData("10054a00" + "0a0161", "a", 5)] // a field that nobody knows, and another order
    [InlineData("0a0162" + "9001" + "05" + "0a0161", "a", 0)] // one of two bytes, and the same field twice
    [InlineData("8a0000" + "0a0161" + "1085808000", "a", 5)] // a tag and a number longer than they need be
    [InlineData("1505000000" + "0a0161", "a", 5)] // another wire type
    [InlineData("0a02c3a9" + "1005", "é", 5)] // no ASCII
    [InlineData("0a8100" + "61" + "1005", "a", 5)] // a length of two bytes
    public void A_seed_that_comes_otherwise_is_read_on_from_there(string hex, string name, int weight)
    {
        var content = Convert.FromHexString(hex);
        byte[] whole = [0x08, 0x01, 0x1a, .. Block(content), 0x1a, .. Block([0x0a, 0x01, (byte)'z']), 0x12, .. Block(content)];
        var bed = (Bed)s_bed.Decode(whole)!;
        Assert.Equal([(name, weight), ("z", 0)], bed.Seeds!.Select(static seed => (seed.Name, seed.Weight)));
        Assert.Equal((name, weight), (bed.First!.Name, bed.First.Weight));
        var alone = SeedCodec.Read(content);
        Assert.Equal((name, weight), (alone.Name, alone.Weight));
    }

    [Fact]
    public void A_seed_that_comes_twice_is_one_however_it_comes()
    {
        var bed = (Bed)s_bed.Decode(Convert.FromHexString("1203" + "0a0161" + "13" + "1005" + "14" + "1209" + "190000000000000440" + "1200"))!;
        Assert.Equal(("a", 5, 2.5), (bed.First!.Name, bed.First.Weight, bed.First.Price));
    }

    [Fact]
    public void Items_go_on_in_the_same_list_whatever_stands_between_them()
    {
        var bed = (Bed)s_bed.Decode(Convert.FromHexString("1a021001" + "1b10021c" + "0801" + "1a021003" + "22021001" + "a201021001" + "23100224" + "4a021001" + "42021001" + "0801" + "42021002"))!;
        Assert.Equal([1, 2, 3], bed.Seeds!.Select(static seed => seed.Weight));
        Assert.Equal([1, 2], bed.Row!.Select(static seed => seed.Weight));
        Assert.Equal(1, Assert.Single(bed.Far!).Weight);
        Assert.Equal(1, Assert.Single(bed.Kept).Weight);
        Assert.Equal(2, Assert.Single(bed.Newest!).Weight);
    }

    [Theory]
    [InlineData(100)]
    [InlineData(124)] // with tag and length of the text one byte less than a length of two
    [InlineData(125)]
    [InlineData(126)]
    [InlineData(127)]
    [InlineData(16_379)]
    [InlineData(16_380)]
    [InlineData(16_381)]
    [InlineData(2_097_200)]
    public void A_seed_of_any_length_is_the_same_however_little_memory_it_starts_in(int length)
    {
        var bed = new Bed { First = NewSeed(length), Seeds = [NewSeed(length), NewSeed(3), NewSeed(length)], Farthest = NewSeed(length) };
        var expected = s_bed.Encode(bed);
        Assert.Null(ObjectComparer.Difference(bed, s_bed.Decode(expected)));
        AssertWritten(expected, bed);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(50)]
    public void Numbers_at_the_edge_of_a_length_of_one_byte_are_the_same_however_little_memory_they_start_in(int count)
    {
        var kernels = Enumerable.Repeat(Kernel.Longest(), count).Append(new Kernel()).ToList();
        var hulls = Enumerable.Repeat(Hull.Longest(), count).Append(new Hull()).ToList();
        var bed = new Bed { Kernels = kernels, Kernel = Kernel.Longest(), Hulls = hulls };
        byte[] kernel = [.. Enumerable.Range(1, 10).SelectMany(static number => LongestNumber(number)), 0x59, 0, 0, 0, 0, 0, 0, 0xe0, 0x3f, 0x60, 1, 0x68, 1, 0x70, 1, 0x78, 1];
        byte[] hull = [.. Enumerable.Range(1, 10).SelectMany(static number => LongestNumber(number)), 0x59, 0, 0, 0, 0, 0, 0, 0xe0, 0x3f, 0x61, 0, 0, 0, 0, 0, 0, 0xe0, 0x3f];
        Assert.Equal((127, 128), (kernel.Length, hull.Length));
        var kernelBlocks = Enumerable.Repeat<byte[]>([0xaa, 0x01, .. Block(kernel)], count).SelectMany(static block => block);
        var hullBlocks = Enumerable.Repeat<byte[]>([0xba, 0x01, .. Block(hull)], count).SelectMany(static block => block);
        byte[] expected = [.. kernelBlocks, 0xaa, 0x01, 0, 0xb2, 0x01, .. Block(kernel), .. hullBlocks, 0xba, 0x01, 0];
        AssertWritten(expected, bed);
        Assert.Null(ObjectComparer.Difference(bed, s_bed.Decode(expected)));
    }

    [Fact]
    public void Numbers_at_the_greatest_depth_are_written_and_read_and_those_one_deeper_refused()
    {
        var bed = new Bed { Kernels = [Kernel.Longest()] };
        for (int depth = 2; depth < MessageReader.MaxDepth; depth++) bed = new Bed { Inner = bed };
        Assert.Null(ObjectComparer.Difference(bed, s_bed.Decode(s_bed.Encode(bed))));

        var exception = Assert.Throws<InvalidMessageException>(() => s_bed.Encode(new Bed { Inner = bed }));
        Assert.Contains("Mux.Generators.Tests.Messages.Kernel", exception.Message, StringComparison.Ordinal);
        Assert.Contains("more than 64 deep", exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_seed_at_the_greatest_depth_is_written_and_read_and_one_deeper_refused()
    {
        var bed = new Bed { First = new Seed { Weight = 1 } };
        for (int depth = 2; depth < MessageReader.MaxDepth; depth++) bed = new Bed { Inner = bed };
        var bytes = s_bed.Encode(bed);
        Assert.Null(ObjectComparer.Difference(bed, s_bed.Decode(bytes)));

        var exception = Assert.Throws<InvalidMessageException>(() => s_bed.Encode(new Bed { Inner = bed }));
        Assert.Contains(SeedName, exception.Message, StringComparison.Ordinal);
        Assert.Contains("more than 64 deep", exception.Message, StringComparison.Ordinal);
        exception = Assert.Throws<InvalidMessageException>(() => s_bed.Decode([0x32, .. Block(bytes)]));
        Assert.StartsWith($"{BedName}, field 2 (First), byte ", exception.Message, StringComparison.Ordinal);
        Assert.EndsWith("messages are nested more than 64 deep.", exception.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(0x1a, "field 3 (Seeds)")]
    [InlineData(0x22, "field 4 (Row)")]
    public void Empty_seeds_without_number_are_refused_before_they_take_much_memory(byte tag, string field)
    {
        var bytes = Enumerable.Repeat<byte[]>([tag, 0], 500_000).SelectMany(static item => item).ToArray();
        long before = GC.GetAllocatedBytesForCurrentThread();
        var exception = Assert.Throws<InvalidMessageException>(() => s_bed.Decode(bytes));
        Assert.StartsWith($"{BedName}, {field}, byte ", exception.Message, StringComparison.Ordinal);
        Assert.Contains("the objects of the message would take more than", exception.Message, StringComparison.Ordinal);
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 2 * (8 * bytes.Length + 4 * 1024 * 1024));
    }

    [Fact]
    public void An_error_names_the_message_the_field_and_where_it_stands()
    {
        AssertRefused("0801" + "1a021001" + "1a04" + "1001" + "0a05", $"{SeedName}, field 1 (Name), byte 12: its length says 5 bytes and 0 are left.");
        AssertRefused("1203" + "1001" + "19", $"{SeedName}, field 3 (Price), byte 5: the message ends within it: 8 bytes are needed and 0 left.");
        AssertRefused("1a05" + "1001", $"{BedName}, field 3 (Seeds), byte 2: its length says 5 bytes and 2 are left.");
        AssertRefused("1001", $"{BedName}, field 2 (First), byte 1: it is written as Varint, which does not fit its type.");
        AssertRefused("1b" + "1001", $"{SeedName}, byte 3: the group of field 3 has no end.");
        var exception = Assert.Throws<InvalidMessageException>(() => SeedCodec.Read([0x10, 0x01, 0x0a, 0x05]));
        Assert.Equal($"{SeedName}, field 1 (Name), byte 4: its length says 5 bytes and 0 are left.", exception.Message);
    }

    private static void AssertRefused(string hex, string expected)
    {
        var exception = Assert.Throws<InvalidMessageException>(() => s_bed.Decode(Convert.FromHexString(hex)));
        Assert.Equal(expected, exception.Message);
    }

    private static void AssertWritten(byte[] expected, Bed bed)
    {
        var buffer = MessageBuffer.Rent();
        int step = Math.Max(1, expected.Length / 100);
        for (int size = 0; size <= expected.Length; size += step)
        {
            var writer = new MessageWriter(new byte[size], buffer);
            BedCodec.Write(ref writer, bed);
            Assert.True(writer.Written.SequenceEqual(expected), $"target of {size} bytes");
        }

        buffer.Return();
    }

    private static byte[] LongestNumber(int number) => [(byte)(number << 3), 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];

    private static Seed NewSeed(int length) => new() { Name = new string('x', length), Weight = length, Price = 0.5 };

    private static byte[] Block(byte[] content)
    {
        var bytes = new List<byte>();
        uint length = (uint)content.Length;
        for (; length >= 0x80; length >>= 7) bytes.Add((byte)(length | 0x80));
        return [.. bytes, (byte)length, .. content];
    }

    private static Bed NextBed(Random random, int depth) => new()
    {
        Id = random.Next(3) * random.Next(1000),
        First = random.Next(2) == 0 ? null : NextSeed(random),
        Seeds = NextSeeds(random),
        Row = NextSeeds(random)?.ToArray(),
        Grouped = NextSeeds(random),
        Inner = depth > 0 && random.Next(2) == 0 ? NextBed(random, depth - 1) : null,
        Newest = NextSeeds(random),
        Far = NextSeeds(random),
        Kernel = random.Next(2) == 0 ? null : new Kernel { Long1 = random.Next() - random.Next(), Double1 = random.Next(2), Flag4 = random.Next(2) == 0 },
        Farthest = random.Next(2) == 0 ? null : NextSeed(random),
    };

    // An empty list is not written, so it would come back as null.
    private static List<Seed>? NextSeeds(Random random)
    {
        int count = random.Next(4);
        return count == 0 ? null : [.. Enumerable.Range(0, count).Select(_ => NextSeed(random))];
    }

    private static Seed NextSeed(Random random) => new()
    {
        Name = random.Next(4) switch { 0 => null, 1 => "é", _ => new string('s', random.Next(20) * random.Next(12)) },
        Weight = random.Next(3) switch { 0 => 0, 1 => random.Next(100), _ => random.Next() - random.Next() },
        Price = random.Next(3) * 0.25,
    };

    // Without the place, which long tags shift, and the reason: a number may be both too long and cut.
    private static (object? Message, string? Refused) Decode(byte[] bytes)
    {
        try
        {
            return (s_bed.Decode(bytes), null);
        }
        catch (InvalidMessageException exception)
        {
            return (null, exception.Message[..exception.Message.IndexOf(", byte ", StringComparison.Ordinal)]);
        }
    }
}
