using Mux.Protocol;

namespace Mux.ProtocolCases.Cases;

/// <summary>
/// Messages in fragments. Of the peer's calls, slot 1 is open, slot 2 is answered and slot 3 is the next; of this side's calls, slot 1 is open and slot 2 was
/// cancelled.
/// </summary>
internal static class FragmentCases
{
    private static readonly CallId s_open = new(1, 1), s_new = new(3, 1);
    private static readonly CallId s_own = new(1, 1), s_ownCancelled = new(2, 1), s_ownStream = new(3, 2);
    private static readonly byte[] s_up = [.. Raw.Define(2, 1, SpecMethods.Up), .. Raw.Request(3, 1, 2, RequestOptions.Stream)];
    private static readonly byte[] s_echo = [0, 0, 0, 0]; // head of a REQUEST

    public static IEnumerable<BadInputCase> All { get; } =
    [
        Answered("A_request_in_fragments", [.. Request(100), .. More(30), .. More(69), .. Last(1)], Answer.Response(s_new)),
        Wrong("A_first_fragment_with_body", Raw.Frame(FrameKind.Request, s_new, [.. s_echo, .. Raw.U32(100), 1], FrameFlags.More), "begins with the second"),
        Wrong("A_first_fragment_of_an_item_with_body", [.. s_up, .. Raw.Frame(FrameKind.RequestItem, s_new, [.. Raw.U32(100), 1], FrameFlags.More)],
            "begins with the second"),
        Wrong("A_first_fragment_of_a_reply_with_body", Raw.Frame(FrameKind.Response, s_own, [.. Raw.U32(100), 1], FrameFlags.More), "begins with the second"),
        Wrong("A_first_fragment_of_an_item_of_a_reply_with_body", Raw.Frame(FrameKind.ResponseItem, s_ownStream, [.. Raw.U32(100), 1], FrameFlags.More),
            "begins with the second") with { HasOwnStream = true },
        Wrong("A_message_of_0_bytes_in_fragments", Request(0), "announces 0 bytes"),
        Wrong("A_message_of_2147483648_bytes", Raw.Frame(FrameKind.Request, s_new, [.. s_echo, .. Raw.U32(0x8000_0000)], FrameFlags.More), "2147483648"),
        Wrong("A_total_length_that_is_cut_short", Raw.Frame(FrameKind.Request, s_new, [.. s_echo, 1, 2, 3], FrameFlags.More), "total length"),
        Wrong("A_total_length_of_an_item_that_is_cut_short", [.. s_up, .. Raw.Frame(FrameKind.RequestItem, s_new, [1, 2, 3], FrameFlags.More)], "total length"),
        Wrong("A_total_length_of_a_reply_that_is_cut_short", Raw.Frame(FrameKind.Response, s_own, [1, 2, 3], FrameFlags.More), "total length"),
        Wrong("More_than_the_total", [.. Request(100), .. More(30), .. Last(71)], "more than the 100 bytes"),
        Wrong("Less_than_the_total", [.. Request(100), .. More(30), .. Last(69)], "ends with 1"),
        Wrong("A_message_that_goes_on_behind_its_total", [.. Request(100), .. More(100)], "continues with 0"),
        Wrong("A_continuation_of_nothing", [.. Request(100), .. More(0)], "with 0 bytes"),
        Wrong("Metadata_on_a_continuation", [.. Request(100), .. Raw.Frame(FrameKind.Request, s_new, new byte[100], FrameFlags.Meta)], "only MORE"),
        Wrong("A_continuation_of_an_open_call", Raw.Frame(FrameKind.Request, s_open, new byte[100], FrameFlags.None), "is open"),
        Wrong("Another_request_inside_an_unfinished_one", [.. Request(100), .. Raw.Request(3, 2, 0)], "is open"),
        Wrong("An_item_inside_its_request",
            [.. Raw.Define(2, 1, SpecMethods.Up), .. Raw
            .Frame(FrameKind.Request, s_new, [2, 0, (byte)RequestOptions.Stream, 0, .. Raw.U32(100)], FrameFlags.More),
            .. Raw.Frame(FrameKind.RequestItem, s_new, [1])], "not complete"),
        Wrong("A_REQUEST_END_inside_its_request",
            [.. Raw.Define(2, 1, SpecMethods.Up), .. Raw
            .Frame(FrameKind.Request, s_new, [2, 0, (byte)RequestOptions.Stream, 0, .. Raw.U32(100)], FrameFlags.More),
            .. Raw.Frame(FrameKind.RequestEnd, s_new)], "not complete"),
        Wrong("More_than_the_total_of_a_reply", [.. First(FrameKind.Response, s_own, 100), .. Raw.Frame(FrameKind.Response, s_own, new byte[101])],
            "more than the 100 bytes"),
        Wrong("A_reply_in_fragments_to_a_call_that_was_never_made", First(FrameKind.Response, new(4, 1), 100), "not open"),
        new("A_million_fragments_of_1_byte",
            [.. Request(1_000_000), .. Enumerable.Repeat(Raw.Frame(FrameKind.Request, s_new, [1], FrameFlags.More), 993).SelectMany(frame => frame)],
            Reaction.GoAway(ConnectionCode.ExcessiveLoad, "992 fragments")),
        new("A_million_fragments_of_a_late_reply",
            [.. First(FrameKind.Response, s_ownCancelled, 1_000_000),
            .. Enumerable.Repeat(Raw.Frame(FrameKind.Response, s_ownCancelled, [1], FrameFlags.More), 993).SelectMany(frame => frame)],
            Reaction.GoAway(ConnectionCode.ExcessiveLoad, "992 fragments")),

        Answered("A_message_in_fragments_above_the_limit", [.. Request(20_001), .. More(20_000), .. Last(1)],
            Answer.Fail(s_new, MuxStatus.ResourceExhausted)) with { Options = new() { Local = new() { MaxMessage = 20_000 } } },
        Answered("A_message_above_the_room_that_is_left", [.. Request(20_001), .. More(20_000), .. Last(1)],
            Answer.Fail(s_new, MuxStatus.ResourceExhausted)) with { Options = new() { ReassemblyLimit = 20_000 } },
        Answered("A_CANCEL_inside_a_request", [.. Request(100), .. More(30), .. Raw.Frame(FrameKind.Cancel, s_new, [0])],
            Answer.Fail(s_new, MuxStatus.Cancelled)),
        Answered("A_message_of_an_unknown_method_in_fragments",
            [.. Raw.Define(2, 0, SpecMethods.Nowhere), .. Raw.Frame(FrameKind.Request, s_new, [2, 0, 0, 0, .. Raw.U32(10)], FrameFlags.More), .. Last(10)],
            Answer.Fail(s_new, MuxStatus.Unimplemented)),
        Answered("An_unknown_method_is_refused_at_its_first_fragment",
            [.. Raw.Define(2, 0, SpecMethods.Nowhere), .. Raw.Frame(FrameKind.Request, s_new, [2, 0, 0, 0, .. Raw.U32(10)], FrameFlags.More)],
            Answer.Fail(s_new, MuxStatus.Unimplemented)),
        Wrong("A_RESPONSE_CREDIT_inside_its_request",
            [.. Raw.Define(2, 2, SpecMethods.Down), .. Raw.Frame(FrameKind.Request, s_new, [2, 0, 0, 0, .. Raw.U32(100)], FrameFlags.More),
            .. Raw.Frame(FrameKind.ResponseCredit, s_new, Raw.U32(1))], "not complete"),
        new("A_request_that_stays_unfinished", [.. Request(100), .. More(30)], Reaction.Nothing) { Stage = BadInputStage.Open },
        new("A_late_reply_in_fragments",
            [.. First(FrameKind.Response, s_ownCancelled, 100), .. Raw.Frame(FrameKind.Response, s_ownCancelled, new byte[60], FrameFlags.More),
            .. Raw.Frame(FrameKind.Response, s_ownCancelled, new byte[40])], Reaction.Nothing),
    ];

    /// <summary>Creates the first frame of a message in fragments.</summary>
    public static byte[] First(FrameKind kind, CallId id, uint total) => Raw.Frame(kind, id, Raw.U32(total), FrameFlags.More);

    private static byte[] Request(uint total) => Raw.Frame(FrameKind.Request, s_new, [.. s_echo, .. Raw.U32(total)], FrameFlags.More);

    private static byte[] More(int length) => Raw.Frame(FrameKind.Request, s_new, new byte[length], FrameFlags.More);

    private static byte[] Last(int length) => Raw.Frame(FrameKind.Request, s_new, new byte[length]);

    private static BadInputCase Wrong(string name, byte[] bytes, params string[] says) => new(name, bytes, Reaction.GoAway(ConnectionCode.ProtocolError, says));

    private static BadInputCase Answered(string name, byte[] bytes, Answer answer) => new(name, bytes, Reaction.Answered(answer));
}
