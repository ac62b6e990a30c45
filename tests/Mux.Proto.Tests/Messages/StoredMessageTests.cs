using System.Buffers;
using Google.Protobuf;
using Mux.Proto.Tests.Imported.Stored;
using Mux.Serialization;
using Point = Mux.Proto.Tests.Imported.Common.Point;

namespace Mux.Proto.Tests.Messages;

/// <summary>Messages that no contract reaches are read and written without a call.</summary>
public sealed class StoredMessageTests
{
    private static readonly Voucher s_voucher = new()
    {
        Id = 7,
        Lines = { new Voucher.Types.Line { Text = "tea", Amount = 0 }, new Voucher.Types.Line() },
        ByName = { ["first"] = new Voucher.Types.Line { Text = "coffee" } },
        Line = new Voucher.Types.Line { Text = "chosen" },
    };

    [Fact]
    public void A_message_has_the_bytes_of_Googles_class()
    {
        var bytes = GeneratedCodec.ToBytes(s_voucher);
        var theirs = Theirs.Stored.Voucher.Parser.ParseFrom(bytes);
        Assert.Equal("chosen", theirs.Line.Text);
        Assert.Equal(theirs.ToByteArray(), bytes);
    }

    [Fact]
    public void A_message_is_read_again()
    {
        var read = GeneratedCodec.Read<Voucher>(GeneratedCodec.ToBytes(s_voucher));
        Assert.Equal((7, 2, 0, "coffee", Voucher.SourceOneofCase.Line), (read.Id, read.Lines.Count, read.Lines[0].Amount, read.ByName["first"].Text, read.SourceCase));
    }

    [Fact]
    public void Nested_flat_and_empty_messages_have_codecs_of_their_own()
    {
        Assert.Equal("tea", GeneratedCodec.Read<Voucher.Types.Line>(GeneratedCodec.ToBytes(new Voucher.Types.Line { Text = "tea" })).Text);
        Assert.Equal("tea", GeneratedCodec.Read<Flat>(GeneratedCodec.ToBytes(new Flat { Id = 5, Name = "tea" })).Name);
        Assert.Empty(GeneratedCodec.ToBytes(GeneratedCodec.Read<Nothing>([])));
    }

    [Fact]
    public void Unknown_fields_are_kept()
    {
        byte[] later = [.. GeneratedCodec.ToBytes(new Flat { Id = 5 }), 0xF8, 0x01, 0x09];
        Assert.Equal(later, GeneratedCodec.ToBytes(GeneratedCodec.Read<Flat>(later)));
    }

    [Fact]
    public void A_message_is_written_to_a_buffer_as_a_whole_or_not_at_all()
    {
        var target = new ArrayBufferWriter<byte>();
        GeneratedCodec.Write(s_voucher, target);
        Assert.Equal(GeneratedCodec.ToBytes(s_voucher), target.WrittenSpan.ToArray());

        target.Clear();
        var broken = new Voucher { Lines = { new Voucher.Types.Line { Text = new string('a', 10_000) }, null! } };
        Assert.ThrowsAny<Exception>(() => GeneratedCodec.Write(broken, target));
        Assert.Equal(0, target.WrittenCount);
    }

    [Fact]
    public void Bytes_that_are_not_the_message_are_refused() =>
        Assert.Throws<InvalidMessageException>(static () => GeneratedCodec.Read<Voucher>([0x12, 0x05, 0x01]));

    [Fact]
    public void A_message_whose_file_does_not_ask_for_codecs_says_what_to_write()
    {
        var error = Assert.Throws<InvalidOperationException>(static () => GeneratedCodec.ToBytes(new Point()));
        Assert.Contains("Codecs=\"All\"", error.Message, StringComparison.Ordinal);
        Assert.Throws<InvalidOperationException>(static () => GeneratedCodec.Read<Point>([]));
    }
}
