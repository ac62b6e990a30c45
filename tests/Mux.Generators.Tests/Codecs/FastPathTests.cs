using System.Text;
using System.Text.RegularExpressions;
using Mux.Generators.Tests.Messages;
using Mux.Generators.Tests.Vectors;
using Mux.Serialization;

namespace Mux.Generators.Tests.Codecs;

/// <summary>Fields that come as they should are read by other code than all others. Both must accept, refuse and understand the same.</summary>
public sealed partial class FastPathTests
{
    private const int LongestShortText = 127;

    private static readonly MessageCodec s_specimen = new ContractCodecs<IZoo>().Request("Specimen");

    [Fact]
    public void A_message_cut_anywhere_means_the_same_with_long_tags()
    {
        int seed = Environment.TickCount;
        for (int i = 0; i < 10; i++)
        {
            var bytes = s_specimen.Encode(new SpecimenFactory(seed + i).Next(depth: 0));
            for (int length = 0; length <= bytes.Length; length++) AssertSameMeaning(bytes[..length], $"seed {seed + i}, cut at {length}");
        }
    }

    [Fact]
    public void A_message_with_changed_bytes_means_the_same_with_long_tags()
    {
        int seed = Environment.TickCount;
        var random = new Random(seed);
        for (int i = 0; i < 5000; i++)
        {
            var bytes = s_specimen.Encode(new SpecimenFactory(random.Next()).Next(depth: 0));
            if (bytes.Length == 0) continue;
            for (int change = random.Next(1, 4); change > 0; change--) bytes[random.Next(Math.Min(bytes.Length, 200))] = (byte)random.Next(256);
            AssertSameMeaning(bytes, $"seed {seed}, round {i}");
        }
    }

    [Theory]
    [InlineData(1)] // bool
    [InlineData(2)] // char
    [InlineData(3)] // sbyte
    [InlineData(4)] // short, zigzag
    [InlineData(6)] // int
    [InlineData(7)] // int, zigzag
    [InlineData(9)] // ulong
    [InlineData(10)] // long, zigzag
    [InlineData(12)] // nint
    [InlineData(15)] // enum
    [InlineData(23)] // optional long
    public void A_number_of_any_size_means_the_same_with_a_long_tag(int field)
    {
        for (int bits = 0; bits <= 64; bits++)
        {
            ulong value = bits == 64 ? ulong.MaxValue : (1ul << bits) - 1;
            for (int size = 1; size <= 11; size++)
            {
                for (int behind = 0; behind <= 10; behind++)
                {
                    var bytes = new List<byte>();
                    AddVarint(bytes, (ulong)field << 3, 1);
                    AddVarint(bytes, value, size);
                    bytes.AddRange(TextField(new byte[behind]));
                    AssertSameMeaning([.. bytes], $"{value:x} in at least {size} bytes and a text of {behind} behind it");
                    AssertSameMeaning([.. bytes[..^(behind + 3)]], $"{value:x} in at least {size} bytes at the end");
                }
            }
        }
    }

    [Theory]
    [InlineData('\u007f')]
    [InlineData('\u0080')]
    [InlineData('\u00ff')]
    [InlineData('\u0100')]
    [InlineData('\u0141')] // an A if its upper half is lost
    [InlineData('\u7fff')]
    [InlineData('\u8000')]
    [InlineData('\u8041')]
    [InlineData('\uff41')]
    [InlineData('\ud800')] // half of a pair
    public void A_text_with_one_character_that_may_be_no_ascii_is_written_as_utf8_and_comes_back(char other)
    {
        for (int length = 1; length <= LongestShortText + 3; length++)
        {
            for (int position = 0; position < length; position++)
            {
                var text = string.Create(length, (position, other), static (characters, state) =>
                {
                    for (int i = 0; i < characters.Length; i++) characters[i] = (char)('!' + (i % 90));
                    characters[state.position] = state.other;
                });
                var utf8 = Encoding.UTF8.GetBytes(text);
                var bytes = s_specimen.Encode(new Specimen { Text = text });
                Assert.True(bytes.AsSpan().StartsWith(TextField(utf8)), $"length {length}, position {position}: {Convert.ToHexString(bytes)}");
                Assert.Equal(Encoding.UTF8.GetString(utf8), ((Specimen)s_specimen.Decode(bytes)!).Text);
            }
        }
    }

    [Fact]
    public void A_text_with_one_byte_that_is_no_utf8_is_read_as_the_framework_reads_it()
    {
        for (int length = 1; length <= LongestShortText + 3; length++)
        {
            for (int position = 0; position < length; position++)
            {
                var utf8 = new byte[length];
                utf8.AsSpan().Fill((byte)'a');
                utf8[position] = 0xff;
                Assert.Equal(Encoding.UTF8.GetString(utf8), ((Specimen)s_specimen.Decode(TextField(utf8))!).Text);
            }
        }
    }

    private static void AssertSameMeaning(byte[] bytes, string hint)
    {
        var (fast, refused) = Decode(bytes);
        var (careful, carefullyRefused) = Decode(LongTags.Of(bytes));
        var difference = FieldOf(refused) != FieldOf(carefullyRefused) ? $"'{refused}' and '{carefullyRefused}'" : ObjectComparer.Difference(fast, careful);
        Assert.True(difference is null, $"{hint}: {difference}: {Convert.ToHexString(bytes)}");
    }

    /// <summary>The message and field that were refused. Why may differ: a number that is both too long and cut off by the end of its packed block is refused for the one or the other.</summary>
    private static string? FieldOf(string? refused) => refused?.IndexOf(')', StringComparison.Ordinal) is int end and > 0 ? refused[..end] : refused;

    /// <returns>The message, or why it was refused, without the place, which long tags shift.</returns>
    private static (object? Message, string? Refused) Decode(byte[] bytes)
    {
        try
        {
            return (s_specimen.Decode(bytes), null);
        }
        catch (InvalidMessageException exception)
        {
            return (null, Place().Replace(exception.Message, string.Empty));
        }
    }

    private static byte[] TextField(byte[] utf8)
    {
        var bytes = new List<byte> { 0x82, 0x01 };
        AddVarint(bytes, (ulong)utf8.Length, 1);
        return [.. bytes, .. utf8];
    }

    private static void AddVarint(List<byte> bytes, ulong value, int leastSize)
    {
        for (int size = 1; value >= 0x80 || size < leastSize; size++, value >>= 7) bytes.Add((byte)(value | 0x80));
        bytes.Add((byte)value);
    }

    [GeneratedRegex("byte [0-9]+: ")]
    private static partial Regex Place();
}
