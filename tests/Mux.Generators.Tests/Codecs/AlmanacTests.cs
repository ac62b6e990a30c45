#pragma warning disable CS0612 // generated code is marked as obsolete, so that it may name what users mark
using System.Globalization;
using Mux.Generators.Tests.Messages;
using Mux.Generators.Tests.Vectors;
using Mux.Protobuf;
using Mux.Serialization;
using Codec = Mux.Generated.Mux_Generators_Tests.Mux_Generators_Tests_Messages_Almanac_Codec;

namespace Mux.Generators.Tests.Codecs;

/// <summary>Guids, decimals, dates, times, spans, URIs and memory over their whole range.</summary>
public sealed class AlmanacTests
{
    private static readonly MessageCodec s_almanac = new ContractCodecs<IZoo>().Request("Almanac");

    [Fact]
    public void Random_values_come_back_as_they_were()
    {
        int seed = Environment.TickCount;
        for (int i = 0; i < 500; i++)
        {
            var almanac = new AlmanacFactory(seed + i).Next();
            var bytes = s_almanac.Encode(almanac);
            foreach (var form in (byte[][])[bytes, LongTags.Of(bytes)])
            {
                var difference = ObjectComparer.Difference(almanac, s_almanac.Decode(form));
                Assert.True(difference is null, $"seed {seed + i}: {difference}");
            }
        }
    }

    [Fact]
    public void Values_are_the_same_however_little_memory_they_start_in_and_nothing_is_written_behind_it()
    {
        int seed = Environment.TickCount;
        var buffer = MessageBuffer.Rent();
        for (int i = 0; i < 10; i++)
        {
            var almanac = new AlmanacFactory(seed + i).Next();
            var expected = s_almanac.Encode(almanac);
            using var memory = new GuardedMemory(expected.Length);
            for (int size = 0; size <= expected.Length; size++)
            {
                var writer = new MessageWriter(memory.Last(size), buffer);
                Codec.Write(ref writer, almanac);
                Assert.True(writer.Written.SequenceEqual(expected), $"seed {seed + i}, target of {size} bytes");
            }
        }

        buffer.Return();
    }

    [Fact]
    public void Nothing_is_read_behind_a_message_that_is_cut()
    {
        int seed = Environment.TickCount;
        for (int i = 0; i < 10; i++)
        {
            var bytes = s_almanac.Encode(new AlmanacFactory(seed + i).Next());
            using var memory = new GuardedMemory(bytes.Length);
            for (int length = 0; length <= bytes.Length; length++)
            {
                var message = memory.Last(length);
                bytes.AsSpan(0, length).CopyTo(message);
                ReadOrRefuse(message);
            }
        }
    }

    [Theory]
    [InlineData(DateTimeKind.Unspecified)]
    [InlineData(DateTimeKind.Utc)]
    [InlineData(DateTimeKind.Local)]
    public void The_kind_of_a_date_is_not_written_and_the_time_not_converted(DateTimeKind kind)
    {
        var date = new DateTime(638448000000000001, kind);
        var read = (Almanac)s_almanac.Decode(s_almanac.Encode(new Almanac { Date = date, DateTicks = date, Timestamp = date }))!;
        Assert.All([read.Date, read.DateTicks, read.Timestamp], other => Assert.Equal(date.Ticks, other.Ticks));
        Assert.Equal([DateTimeKind.Unspecified, DateTimeKind.Unspecified, DateTimeKind.Utc], [read.Date.Kind, read.DateTicks.Kind, read.Timestamp.Kind]);
    }

    [Theory]
    [InlineData("0", "0")]
    [InlineData("-0", "0")]
    [InlineData("1.50", "1.50")]
    [InlineData("1E2", "100")]
    [InlineData("1.5e-3", "0.0015")]
    [InlineData(".5", "0.5")]
    [InlineData("5.", "5")]
    [InlineData("+00000000000000000000000000007.0", "7.0")]
    [InlineData("1e-99", "0.0000000000000000000000000000")]
    public void A_decimal_is_read_from_the_texts_that_protobuf_net_takes(string text, string expected)
    {
        var read = (Almanac)s_almanac.Decode([0xd2, 0x01, (byte)text.Length, .. System.Text.Encoding.ASCII.GetBytes(text)])!;
        Assert.Equal(expected, read.MaybeDecimalText?.ToString(CultureInfo.InvariantCulture));
    }

    [Fact]
    public void An_empty_address_is_null()
    {
        Assert.Null(((Almanac)s_almanac.Decode(Convert.FromHexString("9a010161" + "9a0100"))!).Address);
        Assert.Contains("9a0100", Convert.ToHexStringLower(s_almanac.Encode(new Almanac { Address = new Uri(string.Empty, UriKind.Relative) })), StringComparison.Ordinal);
    }

    [Fact]
    public void A_value_that_comes_twice_replaces_the_first_and_parts_of_it_are_not_merged()
    {
        // A Guid of which the second has the upper half only, a decimal of which the second has the scale only.
        var read = (Almanac)s_almanac.Decode(Convert.FromHexString("0a0909" + "0100000000000000" + "0a0911" + "0200000000000000" + "1a020805" + "1a021804"))!;
        Assert.Equal(new Guid("00000000-0000-0000-0200-000000000000"), read.Id);
        Assert.Equal(0, decimal.GetBits(read.Amount)[0]);
        Assert.Equal(2, read.Amount.Scale);
    }

    [Fact]
    public void Reading_and_writing_values_allocates_nothing()
    {
        var almanac = new Almanac { Id = Guid.NewGuid(), GuidText = Guid.NewGuid(), GuidBytes = Guid.NewGuid(), Amount = 1.5m, DecimalText = -12.75m, MaybeDay = DateOnly.MaxValue };
        var bytes = s_almanac.Encode(almanac);
        var buffer = MessageBuffer.Rent();
        var target = new byte[bytes.Length];
        long before = 0;
        for (int i = 0; i < 2000; i++)
        {
            if (i == 1000) before = GC.GetAllocatedBytesForCurrentThread();
            var reader = new MessageReader(bytes, Codec.Schema);
            Codec.Read(ref reader, almanac);
            var writer = new MessageWriter(target, buffer);
            Codec.Write(ref writer, almanac);
        }

        Assert.Equal(before, GC.GetAllocatedBytesForCurrentThread());
        buffer.Return();
    }

    private static void ReadOrRefuse(ReadOnlySpan<byte> bytes)
    {
        try
        {
            var reader = new MessageReader(bytes, Codec.Schema);
            Codec.Read(ref reader, null);
        }
        catch (InvalidMessageException)
        {
        }
    }
}
