using Mux.Protocol;

namespace Mux.ProtocolCases.Cases;

/// <summary>Metadata of requests and replies. Slot 3 is the peer's next, ordinal 0 an echo; of this side's calls, slot 2 was cancelled.</summary>
internal static class MetadataCases
{
    private static readonly CallId s_new = new(3, 1), s_ownCancelled = new(2, 1);

    public static IEnumerable<BadInputCase> All { get; } =
    [
        Lives("Metadata_of_64_entries", Request(Block(64, "k", [1])), Answer.Response(s_new)),
        Lives("Metadata_of_65_entries", Request(Block(65, "k", [1])), Answer.Fail(s_new, MuxStatus.ResourceExhausted)),
        Lives("Metadata_above_the_limit", Request(Block(1, "k", new byte[8 * 1024])), Answer.Fail(s_new, MuxStatus.ResourceExhausted)),
        Lives("Metadata_with_any_bytes", Request(Block(1, "a-key", "\r\n\0\u007F"u8.ToArray())), Answer.Response(s_new)),
        Lives("Metadata_without_entries", Request(Raw.U16(0)), Answer.Response(s_new)),
        Lives("Metadata_above_the_limit_of_a_request_in_fragments",
            [.. Raw.Frame(FrameKind.Request, s_new, [0, 0, 0, 0, .. Raw.U32(10), .. Block(65, "k", [])], FrameFlags.More | FrameFlags.Meta),
                .. Raw.Frame(FrameKind.Request, s_new, new byte[10])],
            Answer.Fail(s_new, MuxStatus.ResourceExhausted)),
        Wrong("A_metadata_block_beyond_the_payload", Request([.. Raw.U16(10), 1]), "announces 10 bytes"),
        Wrong("A_metadata_block_that_is_cut_short", Request([1]), "its length alone takes"),
        Wrong("A_metadata_entry_beyond_its_block", Request([.. Raw.U16(5), 1, (byte)'k', 9, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]), "inside entry number 1"),
        Wrong("A_metadata_key_in_capitals", Request(Block(1, "Key", [1])), "key in entry number 1"),
        Wrong("A_metadata_key_of_0_bytes", Request(Block(1, string.Empty, [1])), "key in entry number 1"),
        new("Metadata_above_the_limit_of_a_late_reply", Raw.Frame(FrameKind.Response, s_ownCancelled, Block(65, "k", []), FrameFlags.Meta), Reaction.Nothing),
        Wrong("Metadata_above_the_limit_of_a_reply_to_a_call_that_was_never_made",
            Raw.Frame(FrameKind.Response, new(CallId.MaxSlot, 1), Block(65, "k", []), FrameFlags.Meta), "not open"),
        Wrong("A_metadata_entry_of_a_reply_beyond_its_block", Raw.Frame(FrameKind.Response, s_ownCancelled, [.. Raw.U16(1), 9], FrameFlags.Meta),
            "inside entry number 1"),
    ];

    /// <summary>A block of equal entries.</summary>
    public static byte[] Block(int count, string key, byte[] value)
    {
        byte[] entry = [(byte)key.Length, .. Raw.Text(key), .. Raw.U16((ushort)value.Length), .. value];
        return [.. Raw.U16((ushort)(count * entry.Length)), .. Enumerable.Repeat(entry, count).SelectMany(bytes => bytes)];
    }

    private static byte[] Request(byte[] block) => Raw.Frame(FrameKind.Request, s_new, [0, 0, 0, 0, .. block], FrameFlags.Meta);

    private static BadInputCase Wrong(string name, byte[] bytes, params string[] says) => new(name, bytes, Reaction.GoAway(ConnectionCode.ProtocolError, says));

    private static BadInputCase Lives(string name, byte[] bytes, Answer answer) => new(name, bytes, Reaction.Answered(answer));
}
