using Mux.Protocol;
using static Mux.Core.Tests.Wire.GoldenFrame;

namespace Mux.Core.Tests.Wire;

/// <summary>What a FAIL carries behind its text, and what it leaves out.</summary>
public sealed class FailFrameTests
{
    private const int MaxMetadata = 8_192;
    private const int DetailNumberLength = 2;
    private static readonly CallId s_call = new(1, 1);
    private static readonly FailFrame s_bare = new((byte)MuxStatus.FailedPrecondition, MuxExecution.Executed, 0, string.Empty);
    private static readonly int s_room = ProtocolConstants.MaxFailLength - s_bare.Write(new byte[FailFrame.MaxWrittenLength]);

    [Fact]
    public void Metadata_and_detail_are_read_and_written_like_this()
    {
        var expected = s_bare with { Text = "no" };
        var frame = Read("fail.hex", "metadata and detail", FrameKind.Fail, FrameFlags.Meta);

        Assert.True(FailFrame.TryRead(frame.Payload, FrameFlags.Meta, MaxMetadata, out var fail, out var parts, out _));

        Assert.Equal((expected, false, 258), (fail, parts.IsMetadataOverLimit, parts.DetailNumber));
        Assert.Equal("v", MetadataBlock.Decode(parts.Metadata)["k"]);
        Assert.Equal([0xAA, 0xBB], parts.Detail.ToArray());
        AssertWrites("fail.hex", "metadata and detail", to =>
            FrameWriter.Fail(to, s_call, expected, new FailExtras { Metadata = new() { { "k", "v" } }, MaxMetadata = MaxMetadata, DetailNumber = 258, Detail = [0xAA, 0xBB] }, out _));
    }

    [Fact]
    public void Detail_alone_is_read_and_written_like_this()
    {
        var payload = Read("fail.hex", "detail", FrameKind.Fail).Payload;

        Assert.True(FailFrame.TryRead(payload, FrameFlags.None, MaxMetadata, out var fail, out var parts, out _));

        Assert.Equal((s_bare, 1), (fail, parts.DetailNumber));
        Assert.True(parts.Metadata.IsEmpty);
        Assert.Equal([0xAA], parts.Detail.ToArray());
        AssertWrites("fail.hex", "detail", to => FrameWriter.Fail(to, s_call, s_bare, new FailExtras { DetailNumber = 1, Detail = [0xAA] }, out _));
    }

    [Fact]
    public void Without_extras_the_bytes_are_those_of_a_plain_FAIL()
    {
        var payload = Read("fail.hex", "bare", FrameKind.Fail).Payload;
        var expected = new FailFrame((byte)MuxStatus.Unavailable, MuxExecution.NotExecuted, 0, string.Empty);

        Assert.True(FailFrame.TryRead(payload, FrameFlags.None, MaxMetadata, out var fail, out var parts, out _));

        Assert.Equal((expected, 0), (fail, parts.DetailNumber));
        AssertWrites("fail.hex", "bare", to => FrameWriter.Fail(to, s_call, expected, new FailExtras { Metadata = [], Detail = [1] }, out _));
    }

    [Fact]
    public void Cut_at_any_byte_it_is_malformed_but_where_a_part_ends()
    {
        var payload = Read("fail.hex", "metadata and detail", FrameKind.Fail, FrameFlags.Meta).Payload;
        for (int length = 0; length < payload.Length; length++)
        {
            bool isTaken = FailFrame.TryRead(payload.AsSpan(0, length), FrameFlags.Meta, MaxMetadata, out _, out _, out var violation);
            Assert.Equal(length is 17 or 19 or 20, isTaken); // behind the metadata, behind the detail's number, inside its body
            Assert.Equal(isTaken ? null : ConnectionCode.ProtocolError, violation?.Code);
        }
    }

    [Fact]
    public void A_detail_of_the_number_0_is_malformed()
    {
        var payload = Read("fail.hex", "detail", FrameKind.Fail).Payload;
        payload[8] = 0;

        Assert.False(FailFrame.TryRead(payload, FrameFlags.None, MaxMetadata, out _, out _, out var violation));

        Assert.Equal(ConnectionCode.ProtocolError, violation?.Code);
    }

    [Fact]
    public void Metadata_above_the_limit_is_not_told_and_the_rest_is()
    {
        var payload = Read("fail.hex", "metadata and detail", FrameKind.Fail, FrameFlags.Meta).Payload;

        Assert.True(FailFrame.TryRead(payload, FrameFlags.Meta, 33, out var fail, out var parts, out _));

        Assert.Equal(("no", true, 258), (fail.Text, parts.IsMetadataOverLimit, parts.DetailNumber));
        Assert.True(parts.Metadata.IsEmpty);
        Assert.Equal([0xAA, 0xBB], parts.Detail.ToArray());
    }

    [Theory]
    [InlineData(0, 0, 0)]
    [InlineData(1, 0, 1)]
    [InlineData(0, 1, 1)]
    public void The_metadata_gives_way_to_the_detail(int moreMetadata, int moreDetail, int omitted)
    {
        int metadata = 1_000 + moreMetadata;
        int detail = s_room - 1_000 - DetailNumberLength + moreDetail;

        AssertWritten(metadata, detail, MaxMetadata, (FailOmissions)omitted);
    }

    [Fact]
    public void A_detail_that_no_FAIL_can_hold_is_left_out_and_the_metadata_stays()
    {
        AssertWritten(metadata: 0, s_room - DetailNumberLength, MaxMetadata, FailOmissions.None);
        AssertWritten(metadata: 1_000, s_room - DetailNumberLength + 1, MaxMetadata, FailOmissions.Detail);
    }

    [Fact]
    public void Metadata_that_the_peer_does_not_take_is_left_out() => AssertWritten(metadata: 1_000, detail: 10, maxMetadata: 999, FailOmissions.Metadata);

    [Fact]
    public void Both_are_left_out_if_neither_can_be_sent() => AssertWritten(metadata: 1_000, s_room, maxMetadata: 999, FailOmissions.Metadata | FailOmissions.Detail);

    /// <summary>Writes a FAIL with so many bytes of metadata block and detail, and reads what is left of them.</summary>
    private static void AssertWritten(int metadata, int detail, int maxMetadata, FailOmissions expected)
    {
        const int blockOverhead = 6;
        var to = new byte[FrameWriter.MaxFullFailFrame];
        MuxMetadata? entries = metadata == 0 ? null : new() { { "k", new byte[metadata - blockOverhead] } };

        int written = FrameWriter.Fail(to, s_call, s_bare,
            new FailExtras { Metadata = entries, MaxMetadata = maxMetadata, DetailNumber = 7, Detail = new byte[detail] }, out var omitted);

        Assert.Equal(expected, omitted);
        Assert.Equal(FrameReadResult.Frame, FrameReader.Read(to.AsSpan(0, written), ProtocolConstants.MaxFramePayload, out var header, out _));
        Assert.Equal(written, FrameHeader.Size + header.Length);
        Assert.True(FailFrame.TryRead(to.AsSpan(FrameHeader.Size, header.Length), header.Flags, MaxMetadata, out _, out var parts, out _));
        Assert.Equal((omitted & FailOmissions.Metadata) == 0 ? metadata : 0, parts.Metadata.Length);
        Assert.Equal((omitted & FailOmissions.Detail) == 0 ? (7, detail) : (0, 0), (parts.DetailNumber, parts.Detail.Length));
    }
}
