using Mux.Protocol;
using static Mux.Core.Tests.Wire.GoldenFrame;

namespace Mux.Core.Tests.Wire;

/// <summary>Frames of streams and of messages in several frames, against bytes written by hand, both ways.</summary>
public sealed class MessageVectorTests
{
    private static readonly CallId s_call = new(1, 1);
    private static readonly TraceContext s_trace = new(0x0123_4567_89AB_CDEF, 0x0F1E_2D3C_4B5A_6978, 0xFEDC_BA98_7654_3210, 1);

    [Theory]
    [InlineData("connection", 0x04, 0, 0, 1_048_576)]
    [InlineData("request", 0x0C, 7, 2, 1)]
    [InlineData("response", 0x13, 7, 2, int.MaxValue)]
    [InlineData("item window", 0x14, 7, 2, 2)]
    [InlineData("items", 0x15, 7, 2, 1)]
    public void Credit_is_read_and_written_like_this(string section, int kind, int slot, uint generation, int expected)
    {
        var id = new CallId(slot, generation);
        var frame = Read("credit.hex", section, (FrameKind)kind);

        Assert.Equal(id, frame.Id);
        Assert.True(CreditFrame.TryRead(frame.Payload, frame.Kind, out int bytes, out _));
        Assert.Equal(expected, bytes);
        AssertWrites("credit.hex", section, to => FrameWriter.Credit(to, (FrameKind)kind, id, expected));
    }

    [Theory]
    [InlineData("request item", 0x09, "AABBCC")]
    [InlineData("empty request item", 0x09, "")]
    [InlineData("request item, last fragment", 0x09, "AABBCC")]
    [InlineData("response item", 0x11, "AABBCC")]
    public void An_item_is_read_and_written_like_this(string section, int kind, string hex)
    {
        var body = Convert.FromHexString(hex);

        Assert.Equal(body, Read("item.hex", section, (FrameKind)kind).Payload);
        AssertWrites("item.hex", section, to =>
        {
            body.CopyTo(to, FrameHeader.Size);
            return FrameWriter.Item(to, (FrameKind)kind, s_call, body.Length);
        });
    }

    [Theory]
    [InlineData("request item, first fragment", 0x09)]
    [InlineData("response item, first fragment", 0x11)]
    public void The_first_fragment_of_an_item_is_read_and_written_like_this(string section, int kind)
    {
        var payload = Read("item.hex", section, (FrameKind)kind, FrameFlags.More).Payload;

        Assert.True(FragmentHead.TryRead(payload, out int total, out _));
        Assert.Equal(3, total);
        Assert.Equal(FragmentHead.Length, payload.Length);
        AssertWrites("item.hex", section, to =>
        {
            FragmentHead.Write(to.AsSpan(FrameHeader.Size), 3);
            return FrameWriter.Item(to, (FrameKind)kind, s_call, payload.Length, FrameFlags.More);
        });
    }

    [Theory]
    [InlineData("response item with metadata", FrameFlags.Meta)]
    [InlineData("response item with metadata, first fragment", FrameFlags.Meta | FrameFlags.More)]
    internal void Metadata_ahead_of_an_item_is_read_and_written_like_this(string section, FrameFlags flags)
    {
        MuxMetadata metadata = new() { ["tenant"] = "blue" };
        bool isFragment = (flags & FrameFlags.More) != 0;
        var payload = Read("item.hex", section, FrameKind.ResponseItem, flags).Payload;

        Assert.True(MetadataBlock.TryRead(payload.AsSpan(isFragment ? FragmentHead.Length : 0), ushort.MaxValue, out int length, out _, out _));
        Assert.Equal("blue", MetadataBlock.Decode(payload.AsSpan(isFragment ? FragmentHead.Length : 0, length))["tenant"]);
        AssertWrites("item.hex", section, to =>
        {
            if (isFragment)
            {
                int at = FrameWriter.FirstFragment(to, FrameKind.ResponseItem, s_call, length, 3);
                return at + MetadataBlock.Write(to.AsSpan(at), metadata);
            }

            MetadataBlock.Write(to.AsSpan(FrameHeader.Size), metadata);
            new byte[] { 0xAA, 0xBB, 0xCC }.CopyTo(to, FrameHeader.Size + length);
            return FrameWriter.Item(to, FrameKind.ResponseItem, s_call, length + 3, FrameFlags.Meta);
        });
    }

    [Fact]
    public void A_REQUEST_with_a_key_is_read_and_written_like_this()
    {
        const ulong Key = 0x0123_4567_89AB_CDEF;
        var expected = new RequestHead(0, RequestOptions.Deadline | RequestOptions.Key | RequestOptions.Ordered, 1_000);
        var payload = Read("forwarded.hex", "request with a key", FrameKind.Request).Payload;
        Assert.True(RequestHead.TryRead(payload, out var head, out _));
        Assert.Equal((expected, Key), (head, head.ReadKey(payload)));
        Assert.Equal([0x2A], payload[head.Length..]);
        AssertWrites("forwarded.hex", "request with a key", to => FrameWriter.Request(to, s_call, expected, default, [0x2A], Key));
    }

    [Fact]
    public void A_REQUEST_that_has_passed_gateways_is_read_and_written_like_this()
    {
        var expected = new RequestHead(0, RequestOptions.Idempotent | GatewayMarks.OptionsOf(2), 0);
        var payload = Read("forwarded.hex", "request", FrameKind.Request).Payload;
        Assert.True(RequestHead.TryRead(payload, out var head, out _));
        Assert.Equal((expected, 2), (head, GatewayMarks.HopsOf(head.Options)));
        Assert.Equal([0x2A], payload[head.Length..]);
        AssertWrites("forwarded.hex", "request", to => FrameWriter.Request(to, s_call, expected, [0x2A]));
    }

    [Fact]
    public void REQUEST_END_is_read_and_written_like_this()
    {
        Assert.Empty(Read("item.hex", "request end", FrameKind.RequestEnd).Payload);
        AssertWrites("item.hex", "request end", to => FrameWriter.RequestEnd(to, s_call));
    }

    [Fact]
    public void A_REQUEST_in_fragments_with_deadline_trace_and_metadata_is_read_and_written_like_this()
    {
        var expected = new RequestHead(2, RequestOptions.Deadline | RequestOptions.Trace, 50_000);
        var payload = Read("fragments.hex", "request, first", FrameKind.Request, FrameFlags.More | FrameFlags.Meta).Payload;

        Assert.True(RequestHead.TryRead(payload, out var head, out _));
        Assert.Equal((expected, s_trace), (head, head.ReadTrace(payload)));
        var rest = payload.AsSpan(head.Length);
        Assert.True(FragmentHead.TryRead(rest, out int total, out _));
        rest = rest[FragmentHead.Length..];
        Assert.True(MetadataBlock.TryRead(rest, 6 + 4 + 9 + 2 + 64, out int length, out bool isOverLimit, out _));
        var metadata = MetadataBlock.Decode(rest[..length]);
        var body = rest[length..].ToArray();

        Assert.Equal((8, false), (total, isOverLimit));
        Assert.Equal(["tenant", "x-raw.1_b"], metadata.Select(entry => entry.Key));
        Assert.Equal("blue", metadata["tenant"]);
        Assert.Empty(body);
        Assert.Equal([0xA1, 0xA2, 0xA3, 0xA4, 0xA5, 0xA6, 0xA7, 0xA8], Read("fragments.hex", "request, last", FrameKind.Request).Payload);
        AssertWrites("fragments.hex", "request, first", to => WriteFirst(to, expected, metadata, total, body));
    }

    [Fact]
    public void A_RESPONSE_in_fragments_with_metadata_is_read_like_this()
    {
        var payload = Read("fragments.hex", "response, first", FrameKind.Response, FrameFlags.More | FrameFlags.Meta).Payload.AsSpan();

        Assert.True(FragmentHead.TryRead(payload, out int total, out _));
        Assert.True(MetadataBlock.TryRead(payload[FragmentHead.Length..], 33, out int length, out _, out _));
        Assert.Equal(string.Empty, MetadataBlock.Decode(payload.Slice(FragmentHead.Length, length))["k"]);
        Assert.Equal(FragmentHead.Length + length, payload.Length);
        Assert.Equal(total, Read("fragments.hex", "response, last", FrameKind.Response).Payload.Length);
    }

    [Theory]
    [InlineData(new byte[0], 1)]
    [InlineData(new byte[] { 1, 0, 0 }, 1)]
    [InlineData(new byte[] { 1, 0, 0, 0, 0 }, 1)]
    [InlineData(new byte[] { 0, 0, 0, 0 }, 3)]
    [InlineData(new byte[] { 0, 0, 0, 0x80 }, 3)]
    public void Credit_of_another_length_is_a_ProtocolError_and_of_another_range_a_FlowControlError(byte[] payload, ushort code)
    {
        Assert.False(CreditFrame.TryRead(payload, FrameKind.RequestCredit, out _, out var violation));

        Assert.Equal((ConnectionCode)code, violation?.Code);
        Assert.StartsWith(nameof(FrameKind.RequestCredit), violation!.Text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(0, 64)]
    [InlineData(56, 64)]
    [InlineData(57, 65)]
    [InlineData(32_768, 32_776)]
    public void An_item_costs_its_frame_and_at_least_64(int payloadLength, int cost) => Assert.Equal(cost, CreditFrame.CostOfItem(payloadLength));

    [Theory]
    [InlineData(new byte[0])]
    [InlineData(new byte[] { 1, 0, 0 })]
    [InlineData(new byte[] { 0, 0, 0, 0 })]
    [InlineData(new byte[] { 0, 0, 0, 0x80 })]
    [InlineData(new byte[] { 0xFF, 0xFF, 0xFF, 0xFF })]
    public void A_total_length_that_is_cut_or_out_of_range_is_a_ProtocolError(byte[] payload)
    {
        Assert.False(FragmentHead.TryRead(payload, out _, out var violation));
        Assert.Equal(ConnectionCode.ProtocolError, violation?.Code);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(int.MaxValue)]
    public void A_total_length_is_read_as_it_was_written(int expected)
    {
        var payload = new byte[FragmentHead.Length];
        FragmentHead.Write(payload, expected);

        Assert.True(FragmentHead.TryRead(payload, out int total, out _));
        Assert.Equal(expected, total);
    }

    [Fact]
    public void A_request_head_cut_at_any_byte_is_a_ProtocolError()
    {
        var payload = Read("request.hex", "all options", FrameKind.Request).Payload;
        for (int length = 0; length < payload.Length; length++)
        {
            Assert.False(RequestHead.TryRead(payload.AsSpan(0, length), out _, out var violation));
            Assert.Equal(ConnectionCode.ProtocolError, violation?.Code);
        }
    }

    [Fact]
    public void A_trace_context_shows_the_hexadecimal_digits_of_its_bytes() =>
        Assert.Equal("0123456789abcdef0f1e2d3c4b5a6978-fedcba9876543210-01", s_trace.ToString());

    private static int WriteFirst(byte[] to, RequestHead head, MuxMetadata metadata, int total, byte[] body)
    {
        int at = FrameHeader.Size;
        head.Write(to.AsSpan(at), s_trace);
        at += head.Length;
        FragmentHead.Write(to.AsSpan(at), total);
        at += FragmentHead.Length;
        at += MetadataBlock.Write(to.AsSpan(at), metadata);
        body.CopyTo(to, at);
        at += body.Length;
        new FrameHeader(FrameKind.Request, FrameFlags.More | FrameFlags.Meta, s_call, at - FrameHeader.Size).Write(to);
        return at;
    }
}
