using System.Text;
using Mux.Generators.Tests.Messages;
using Mux.Generators.Tests.Vectors;
using Mux.Protobuf;
using Mux.Serialization;

namespace Mux.Generators.Tests.Codecs;

/// <summary>Bytes that are no Guid, no decimal, no date: refused in one way, whatever the framework would throw.</summary>
public sealed class HostileValueTests
{
    private const string Name = "Mux.Generators.Tests.Messages.Almanac";

    private static readonly MessageCodec s_almanac = new ContractCodecs<IZoo>().Request("Almanac");

    // Length-delimited members: their tags and what may stand in them.
    private static readonly (byte[] Tag, string What)[] s_fields =
    [
        ([0x0a], "bcl.Guid"), ([0x1a], "bcl.Decimal"), ([0x22], "bcl.DateTime"), ([0x3a], "bcl.TimeSpan"), ([0x52], "Timestamp"), ([0x62], "Duration"),
        ([0x72], "Guid text"), ([0x82, 0x01], "decimal text"),
    ];

    [Theory]
    [InlineData("0800", "field 1 (Id), byte 1: it is written as Varint, which does not fit its type.")]
    [InlineData("0a020a00", "field 1 (Id), byte 3: part 1 of its value: it is written as Bytes, which does not fit its type.")]
    [InlineData("0a0309ffff", "field 1 (Id), byte 3: part 1 of its value: the message ends within it: 8 bytes are needed and 2 left.")]
    [InlineData("0a0809ffff", "field 1 (Id), byte 2: its length says 8 bytes and 3 are left.")]
    [InlineData("0a017c", "field 1 (Id), byte 3: part 15 of its value: this end of a group has no beginning.")]
    [InlineData("0a010c", "field 1 (Id), byte 3: part 1 of its value: this end of a group has no beginning.")]
    [InlineData("1309010000000000000014", null)]
    [InlineData("13090100000000000000", "field 2 (GroupedGuid), byte 10: part 1 of its value: the group of field 2 has no end.")]
    [InlineData("13090100000000000000" + "1c", "field 2 (GroupedGuid), byte 11: part 3 of its value: this end of a group has no beginning.")]
    [InlineData("1a021838", null)]
    [InlineData("1a02183a", "field 3 (Amount), byte 4: its value is out of the range of decimal.")]
    [InlineData("1a0610ffffffff1f", "field 3 (Amount), byte 3: part 2 of its value: a 32-bit number is larger than 32 bits or written in more than five bytes.")]
    [InlineData("22021006", "field 4 (Date), byte 4: its value is out of the range of DateTime.")]
    [InlineData("2202100f", "field 4 (Date), byte 4: its value is out of the range of DateTime.")]
    [InlineData("22040804100f", "field 4 (Date), byte 6: its value is out of the range of DateTime.")]
    [InlineData("220b10ffffffffffffffffff01", "field 4 (Date), byte 13: its value is out of the range of DateTime.")]
    [InlineData("22021803", "field 4 (Date), byte 4: part 3 of its value: its value is out of the range of DateTimeKind.")]
    [InlineData("2202180318", "field 4 (Date), byte 4: part 3 of its value: its value is out of the range of DateTimeKind.")]
    [InlineData("220908feffffffffffff7f", "field 4 (Date), byte 11: its value is out of the range of DateTime.")]
    [InlineData("220b08feffffffffffffffff01", "field 4 (Date), byte 13: its value is out of the range of DateTime.")]
    [InlineData("220b08ffffffffffffffffff01", "field 4 (Date), byte 13: its value is out of the range of DateTime.")]
    [InlineData("2209090000000000000000", "field 4 (Date), byte 3: part 1 of its value: it is written as Fixed64, which does not fit its type.")]
    [InlineData("2805", "field 5 (DateTicks), byte 1: it is written as Varint, which does not fit its type.")]
    [InlineData("29feffffffffffff7f", "field 5 (DateTicks), byte 9: its value is out of the range of DateTime.")]
    [InlineData("29ffffffffffffff", "field 5 (DateTicks), byte 1: the message ends within it: 8 bytes are needed and 7 left.")]
    [InlineData("3a0b08feffffffffffffffff01", "field 7 (Span), byte 13: its value is out of the range of TimeSpan.")]
    [InlineData("3a021010", "field 7 (Span), byte 4: its value is out of the range of TimeSpan.")]
    [InlineData("51ffffffffffffff7f", "field 10 (Timestamp), byte 1: it is written as Fixed64, which does not fit its type.")]
    [InlineData("52070880929cb7b007", "field 10 (Timestamp), byte 9: its value is out of the range of DateTime.")]
    [InlineData("520b08ffffffffffffffffff01", null)]
    [InlineData("520a08ffffffffffffffff7f", "field 10 (Timestamp), byte 12: its value is out of the range of DateTime.")]
    [InlineData("520710ffffffffff01", "field 10 (Timestamp), byte 3: part 2 of its value: a 32-bit number is larger")]
    [InlineData("620708e6abd3fceb1a", "field 12 (Duration), byte 9: its value is out of the range of TimeSpan.")]
    [InlineData("620e08e5abd3fceb1a" + "10a09bdde301" + "00", "field 12 (Duration), byte ")]
    [InlineData("620d08e5abd3fceb1a" + "10809cdde301", "field 12 (Duration), byte 15: its value is out of the range of TimeSpan.")]
    [InlineData("8801daf3de01", null)]
    [InlineData("8801dbf3de01", "field 17 (Day), byte 6: its value is out of the range of DateOnly.")]
    [InlineData("8801ffffffffffffffffff01", "field 17 (Day), byte 12: its value is out of the range of DateOnly.")]
    [InlineData("8a0100", "field 17 (Day), byte 2: it is written as Bytes, which does not fit its type.")]
    [InlineData("90018080a7d39219", "field 18 (Time), byte 8: its value is out of the range of TimeOnly.")]
    [InlineData("9001ffffffffffffffffff01", "field 18 (Time), byte 12: its value is out of the range of TimeOnly.")]
    [InlineData("980101", "field 19 (Address), byte 2: it is written as Varint, which does not fit its type.")]
    [InlineData("a00101", "field 20 (Memory), byte 2: it is written as Varint, which does not fit its type.")]
    [InlineData("920201" + "00" + "9202" + "030900", "field 34 (Guids), byte ")]
    public void A_value_out_of_range_is_refused_with_its_field_and_offset(string hex, string? says)
    {
        var exception = Record.Exception(() => s_almanac.Decode(Convert.FromHexString(hex)));
        if (says is null) Assert.Null(exception);
        else Assert.StartsWith($"{Name}, {says}", Assert.IsType<InvalidMessageException>(exception).Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("72", 5, "field 14 (GuidText), byte 7: its 5 bytes are not a Guid")]
    [InlineData("72", 33, "field 14 (GuidText), byte 35: its 33 bytes are not a Guid")]
    [InlineData("72", 36, "field 14 (GuidText), byte 38: its 36 bytes are not a Guid")]
    [InlineData("72", 100_000, "field 14 (GuidText), byte 100004: its 100000 bytes are not a Guid")]
    [InlineData("7a", 32, "field 15 (GuidBytes), byte 34: its 32 bytes are not a Guid")]
    [InlineData("8201", 0, "field 16 (DecimalText), byte 3: its 0 bytes are not a decimal")]
    [InlineData("8201", 33, "field 16 (DecimalText), byte 36: its 33 bytes are not a decimal")]
    [InlineData("8201", 100_000, "field 16 (DecimalText), byte 100005: its 100000 bytes are not a decimal")]
    public void A_text_of_a_length_that_no_value_has_is_refused_and_not_copied(string tag, int length, string says)
    {
        var bytes = Field(Convert.FromHexString(tag), new string('1', length).Replace('1', length == 33 ? '1' : 'g'), 0);
        long before = GC.GetAllocatedBytesForCurrentThread();
        var exception = Assert.Throws<InvalidMessageException>(() => s_almanac.Decode(bytes));
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 64 * 1024);
        Assert.StartsWith($"{Name}, {says}", exception.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("abc")]
    [InlineData("1,5")]
    [InlineData(" 1")]
    [InlineData("1 ")]
    [InlineData("0x1")]
    [InlineData("--1")]
    [InlineData("1e")]
    [InlineData("1e29")]
    [InlineData("79228162514264337593543950336")]
    [InlineData("1e2147483648")]
    [InlineData("NaN")]
    [InlineData("\u0661")]
    public void A_text_that_is_no_decimal_is_refused(string text)
    {
        var exception = Assert.Throws<InvalidMessageException>(() => s_almanac.Decode(Field([0x82, 0x01], text, 0)));
        Assert.StartsWith($"{Name}, field 16 (DecimalText), byte ", exception.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("3f2504e0-4f89-11d3-9a0c-0305e82c33zz")]
    [InlineData("3f2504e004f89-11d3-9a0c-0305e82c3301")]
    [InlineData("+f2504e0-4f89-11d3-9a0c-0305e82c3301")]
    [InlineData("0x2504e0-4f89-11d3-9a0c-0305e82c3301")]
    [InlineData("3f2504e04f8911d39a0c0305e82c330g")]
    [InlineData("3f2504e0\u20ac4f8911d39a0c0305e82c33")]
    public void A_text_that_is_no_Guid_is_refused(string text)
    {
        var exception = Assert.Throws<InvalidMessageException>(() => s_almanac.Decode(Field([0x72], text, 0)));
        Assert.StartsWith($"{Name}, field 14 (GuidText), byte ", exception.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("3f2504e0-4f89-11d3-9a0c-0305e82c3301")]
    [InlineData("3f2504e04f8911d39a0c0305e82c3301")]
    public void A_Guid_with_one_wrong_character_is_refused(string text)
    {
        for (int i = 0; i < text.Length; i++)
        {
            foreach (char other in "gG@/:`-0\u007f")
            {
                bool isGuid = text[i] == '-' ? other == '-' : other == '0';
                var bytes = Field([0x72], text[..i] + other + text[(i + 1)..], 0);
                Assert.Equal(isGuid, Record.Exception(() => s_almanac.Decode(bytes)) is null);
            }
        }
    }

    [Fact]
    public void A_text_is_an_address_or_refused_as_the_framework_has_it()
    {
        foreach (var text in (string[])["http://", "http:// a", "http://[", "http://a:99999999", "\0", "http://\ud800", "//", "\\\\", "file:///c:/%zz", "http://xn--\u00fc/", new string('a', 70_000), "a:" + new string('b', 70_000)])
        {
            bool isAddress = Uri.TryCreate(Encoding.UTF8.GetString(Encoding.UTF8.GetBytes(text)), UriKind.RelativeOrAbsolute, out var expected);
            var bytes = Field([0x9a, 0x01], text, 0);
            if (isAddress) Assert.Equal(expected!.OriginalString, ((Almanac)s_almanac.Decode(bytes)!).Address!.OriginalString);
            else Assert.StartsWith($"{Name}, field 19 (Address), byte ", Assert.Throws<InvalidMessageException>(() => s_almanac.Decode(bytes)).Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void Groups_in_a_value_are_nested_to_the_limit_and_not_deeper()
    {
        byte[] Nested(int depth) => Field([0x22], [.. Enumerable.Repeat((byte)0x7b, depth), .. Enumerable.Repeat((byte)0x7c, depth)], 0);
        Assert.NotNull(s_almanac.Decode(Nested(MessageReader.MaxDepth - 2)));
        var exception = Assert.Throws<InvalidMessageException>(() => s_almanac.Decode(Nested(100_000)));
        Assert.Contains("field 4 (Date), byte ", exception.Message, StringComparison.Ordinal);
        Assert.Contains("more than 64 deep", exception.Message, StringComparison.Ordinal);
    }

    // The length in two bytes: what is fast does not see it, and the careful way reads it.
    [Fact]
    public void Values_that_come_as_they_should_are_read_and_refused_as_all_others_are()
    {
        int seed = Environment.TickCount;
        var random = new Random(seed);
        int read = 0;
        for (int i = 0; i < 100_000; i++)
        {
            var (tag, what) = s_fields[random.Next(s_fields.Length)];
            var content = Content(random, what);
            var (fast, fastRefused) = Decode(Field(tag, content, 0));
            var (careful, carefullyRefused) = Decode(Field(tag, content, 1));
            var difference = fastRefused != carefullyRefused ? $"'{fastRefused}' and '{carefullyRefused}'" : ObjectComparer.Difference(fast, careful);
            Assert.True(difference is null, $"seed {seed}, round {i}, {what}: {difference}: {Convert.ToHexString(content)}");
            if (fast is not null) read++;
        }

        Assert.InRange(read, 20_000, 80_000);
    }

    [Fact]
    public void Values_cut_anywhere_or_changed_are_read_or_refused_in_one_way()
    {
        int seed = Environment.TickCount;
        var random = new Random(seed);
        for (int i = 0; i < 300; i++)
        {
            var bytes = s_almanac.Encode(new AlmanacFactory(random.Next()).Next());
            for (int cut = 0; cut < 20; cut++) ReadOrRefuse(bytes[..random.Next(bytes.Length)], $"seed {seed}, round {i}");
            for (int round = 0; round < 20; round++)
            {
                var changed = bytes.ToArray();
                for (int change = random.Next(1, 6); change > 0; change--) changed[random.Next(changed.Length)] = (byte)random.Next(256);
                ReadOrRefuse(changed, $"seed {seed}, round {i}");
            }
        }
    }

    private static void ReadOrRefuse(byte[] bytes, string hint)
    {
        var exception = Record.Exception(() => s_almanac.Decode(bytes));
        if (exception is null) return;
        Assert.True(exception is InvalidMessageException && exception.Message.StartsWith(Name, StringComparison.Ordinal), $"{hint}: {exception}: {Convert.ToHexString(bytes)}");
    }

    private static (object? Message, string? Refused) Decode(byte[] bytes)
    {
        try
        {
            return (s_almanac.Decode(bytes), null);
        }
        catch (InvalidMessageException exception)
        {
            return (null, exception.Message.Split(", byte ")[0]);
        }
    }

    private static byte[] Field(byte[] tag, string text, int padding) => Field(tag, Encoding.UTF8.GetBytes(text), padding);

    // With a length that takes more bytes than it needs.
    private static byte[] Field(byte[] tag, byte[] content, int padding)
    {
        var bytes = new List<byte>(tag);
        uint length = (uint)content.Length;
        for (; length >= 0x80; length >>= 7) bytes.Add((byte)(length | 0x80));
        bytes.Add((byte)(padding > 0 ? length | 0x80 : length));
        for (; padding > 0; padding--) bytes.Add((byte)(padding > 1 ? 0x80 : 0));
        return [.. bytes, .. content];
    }

    // Mostly what may stand there, with mistakes.
    private static byte[] Content(Random random, string what)
    {
        byte[] content = what switch
        {
            "Guid text" => random.Next(4) switch
            {
                0 => Encoding.ASCII.GetBytes(Guid.NewGuid().ToString("N")),
                1 => Guid.NewGuid().ToByteArray(),
                _ => Encoding.ASCII.GetBytes(Guid.NewGuid().ToString().ToUpperInvariant()),
            },
            "decimal text" => Encoding.ASCII.GetBytes($"{random.Next(-100, 100)}.{random.Next()}{(random.Next(3) == 0 ? "e" + random.Next(-40, 40) : string.Empty)}"),
            "bcl.Guid" => [0x09, .. BitConverter.GetBytes(random.NextInt64()), 0x11, .. BitConverter.GetBytes(random.NextInt64())],
            _ => [.. Varint(random, 1), .. Varint(random, 2), .. Varint(random, 3)],
        };
        for (int change = random.Next(4) == 0 ? random.Next(1, 3) : 0; change > 0 && content.Length > 0; change--) content[random.Next(content.Length)] = (byte)random.Next(256);
        return random.Next(6) == 0 ? content[..random.Next(content.Length + 1)] : content;
    }

    private static byte[] Varint(Random random, int part)
    {
        if (random.Next(3) == 0) return [];
        var bytes = new List<byte> { (byte)(part << 3) };
        ulong value = part == 1 || random.Next(20) == 0 ? (ulong)random.NextInt64(long.MinValue, long.MaxValue) >> random.Next(64) : (ulong)random.Next(part == 3 ? 3 : 8);
        for (; value >= 0x80; value >>= 7) bytes.Add((byte)(value | 0x80));
        bytes.Add((byte)value);
        return [.. bytes];
    }
}
