using Mux.Protocol;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Framing;

public sealed class FrameReaderTests
{
    private static readonly byte[] s_frame = ScriptedPeer.Frame(FrameKind.Request, new CallId(1, 1), new byte[100]);

    [Fact]
    public void A_frame_is_whole_with_its_last_byte()
    {
        for (int length = 0; length < s_frame.Length; length++)
            Assert.Equal(FrameReadResult.Incomplete, FrameReader.Read(s_frame.AsSpan(0, length), 65_536, out _, out _));

        Assert.Equal(FrameReadResult.Frame, FrameReader.Read(s_frame, 65_536, out var header, out _));
        Assert.Equal((FrameKind.Request, 100), (header.Kind, header.Length));
    }

    [Fact]
    public void Bytes_behind_a_frame_do_not_matter() =>
        Assert.Equal(FrameReadResult.Frame, FrameReader.Read([.. s_frame, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], 65_536, out _, out _));

    [Theory]
    [InlineData(16_384)]
    [InlineData(65_536)]
    public void A_payload_of_the_limit_is_taken_and_one_byte_more_is_refused_by_the_header_alone(int limit)
    {
        var header = new byte[FrameHeader.Size];
        new FrameHeader(FrameKind.Response, FrameFlags.None, new CallId(1, 1), limit).Write(header);
        Assert.Equal(FrameReadResult.Incomplete, FrameReader.Read(header, limit, out _, out _));
        new FrameHeader(FrameKind.Response, FrameFlags.None, new CallId(1, 1), limit + 1).Write(header);

        Assert.Equal(FrameReadResult.Violation, FrameReader.Read(header, limit, out _, out var violation));

        Assert.Equal(ConnectionCode.FrameTooLarge, violation?.Code);
    }

    [Fact]
    public void Seven_bytes_of_a_bad_header_are_not_judged_yet() =>
        Assert.Equal(FrameReadResult.Incomplete, FrameReader.Read([0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], 65_536, out _, out _));

    [Fact]
    public void Every_header_that_is_taken_is_one_the_rules_list()
    {
        for (int kind = 0; kind < 32; kind++)
        {
            for (int flags = 0; flags < 8; flags++)
            {
                foreach (var id in new CallId[] { new(0, 0), new(0, 1), new(1, 0), new(CallId.MaxSlot, 4095) })
                {
                    var header = new FrameHeader((FrameKind)kind, (FrameFlags)flags, id, 10);
                    Assert.Equal(IsTaken(header), FrameRules.Check(header, 65_536) is null);
                }
            }
        }
    }

    [Fact]
    public void A_compressed_message_has_a_code_of_its_own_and_other_unsuited_flags_are_ProtocolErrors()
    {
        foreach (var kind in new[] { FrameKind.Request, FrameKind.RequestItem, FrameKind.Response, FrameKind.ResponseItem })
            Assert.Equal(ConnectionCode.CompressionError, CodeOf(kind, FrameFlags.Compressed | FrameFlags.More));

        foreach (var kind in new[] { FrameKind.RequestEnd, FrameKind.Cancel, FrameKind.RequestCredit, FrameKind.Fail, FrameKind.ResponseCredit, FrameKind.ItemWindow, FrameKind.ItemCredit })
            Assert.Equal(ConnectionCode.ProtocolError, CodeOf(kind, FrameFlags.Compressed));

        foreach (var kind in new[] { FrameKind.RequestItem, FrameKind.RequestEnd, FrameKind.Cancel })
            Assert.Equal(ConnectionCode.ProtocolError, CodeOf(kind, FrameFlags.Meta));
    }

    private static ConnectionCode? CodeOf(FrameKind kind, FrameFlags flags) => FrameRules.Check(new FrameHeader(kind, flags, new CallId(1, 1), 10), 65_536)?.Code;

    /// <summary>The rules once more, as PROTOCOL.md has them.</summary>
    private static bool IsTaken(FrameHeader header) => header.Kind switch
    {
        FrameKind.Hello or FrameKind.Credit or FrameKind.Lease => header is { Flags: FrameFlags.None, Id.Value: 0 },
        FrameKind.Ping or FrameKind.GoAway or FrameKind.Define or FrameKind.Auth => header is { Flags: FrameFlags.None or FrameFlags.Answer, Id.Value: 0 },
        FrameKind.Request or FrameKind.Response or FrameKind.ResponseItem => header is { Flags: <= (FrameFlags.More | FrameFlags.Meta), Id.Slot: > 0 },
        FrameKind.RequestItem => header is { Flags: FrameFlags.None or FrameFlags.More, Id.Slot: > 0 },
        FrameKind.Fail => header is { Flags: FrameFlags.None or FrameFlags.Meta, Id.Slot: > 0 },
        FrameKind.RequestEnd or FrameKind.Cancel or FrameKind.RequestCredit or FrameKind.ResponseCredit or FrameKind.ItemWindow or FrameKind.ItemCredit => header is { Flags: FrameFlags.None, Id.Slot: > 0 },
        >= FrameKind.FirstExtension => true,
        _ => false,
    };
}
