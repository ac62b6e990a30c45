using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;

namespace Mux.ProtocolCases.Cases;

/// <summary>
/// Items, their end and credit. The case itself opens a streaming call of the peer, in slot 3; a call of this side is open in slot 3, generation 2, if the case
/// says so.
/// </summary>
internal static class StreamCases
{
    private static readonly CallId s_open = new(1, 1), s_answered = new(2, 1), s_new = new(3, 1);
    private static readonly CallId s_own = new(1, 1), s_ownCancelled = new(2, 1), s_ownStream = new(3, 2);
    private static readonly byte[] s_up = Open(MethodShape.RequestStream, SpecMethods.Up), s_down = Open(MethodShape.ResponseStream, SpecMethods.Down),
        s_both = Open(MethodShape.Duplex, SpecMethods.Both);
    private static readonly ConnectionOptions s_littleCredit = new() { Local = new() { StreamCredit = 100 } };
    private static readonly byte[] s_most = Raw.U32(int.MaxValue);

    public static IEnumerable<BadInputCase> All { get; } =
    [
        new("Items_and_their_end", [.. s_up, .. Item(s_new, 0), .. Item(s_new, 300), .. End(s_new)], Reaction.Nothing),
        Wrong("A_REQUEST_ITEM_behind_REQUEST_END", [.. s_up, .. End(s_new), .. Item(s_new, 3)], "has ended") with { CrossesAnswer = true },
        Wrong("A_second_REQUEST_END", [.. s_up, .. End(s_new), .. End(s_new)], "has ended") with { CrossesAnswer = true },
        Wrong("A_REQUEST_END_inside_an_item", [.. s_up, .. FragmentCases.First(FrameKind.RequestItem, s_new, 100), .. End(s_new)], "inside an item"),
        Wrong("A_REQUEST_END_of_1_byte", [.. s_up, .. Raw.Frame(FrameKind.RequestEnd, s_new, [0])], "carries 1 bytes"),
        Wrong("A_REQUEST_ITEM_of_a_call_without_a_stream", Item(s_open, 3), "no such stream"),
        Wrong("A_REQUEST_END_of_a_call_without_a_stream", End(s_open), "no such stream"),
        Wrong("A_RESPONSE_CREDIT_of_a_call_without_a_stream", Credit(FrameKind.ResponseCredit, s_open, 1), "no such stream"),
        Wrong("A_REQUEST_ITEM_of_a_call_that_streams_replies_only", [.. s_down, .. Item(s_new, 3)], "no such stream"),
        Wrong("A_RESPONSE_CREDIT_of_a_call_that_streams_requests_only", [.. s_up, .. Credit(FrameKind.ResponseCredit, s_new, 1)], "no such stream"),
        Wrong("A_REQUEST_ITEM_of_a_call_that_was_never_made", Item(s_new, 3), "not the last of its slot"),
        Wrong("A_REQUEST_END_of_a_call_that_was_never_made", End(s_new), "not the last of its slot"),
        Wrong("A_RESPONSE_CREDIT_of_a_call_that_was_never_made", Credit(FrameKind.ResponseCredit, s_new, 1), "not the last of its slot"),
        Wrong("A_REQUEST_ITEM_of_a_call_to_come", Item(new(2, 2), 3), "not the last of its slot"),
        new("A_REQUEST_ITEM_of_an_answered_call", Item(s_answered, 3), Reaction.Nothing),
        new("A_REQUEST_END_of_an_answered_call", End(s_answered), Reaction.Nothing),
        new("A_RESPONSE_CREDIT_of_an_answered_call", Credit(FrameKind.ResponseCredit, s_answered, 1), Reaction.Nothing),
        new("Items_behind_CANCEL", [.. s_up, .. Cancel(s_new), .. Item(s_new, 3), .. End(s_new), .. End(s_new), .. Item(s_new, 3)], Reaction.Nothing),
        new("A_CANCEL_inside_an_item_and_more_of_it",
            [.. s_up, .. FragmentCases.First(FrameKind.RequestItem, s_new, 100), .. Cancel(s_new),
                .. Raw.Frame(FrameKind.RequestItem, s_new, new byte[50], FrameFlags.More), .. Item(s_new, 50)], Reaction.Nothing),
        Answered("A_stream_that_its_request_does_not_announce",
            [.. Raw.Define(2, 1, SpecMethods.Up), .. Raw.Request(3, 1, 2), .. Item(s_new, 3), .. End(s_new)], Answer.Fail(s_new, MuxStatus.Unimplemented)),
        Answered("A_stream_that_its_method_does_not_have", [.. Raw.Request(3, 1, 0, RequestOptions.Stream), .. Item(s_new, 3)],
            Answer.Fail(s_new, MuxStatus.Unimplemented)),

        Flow("An_item_without_credit", [.. s_up, .. Item(s_new, 92), .. Item(s_new, 0)], "without credit") with { Options = s_littleCredit },
        Flow("A_RESPONSE_CREDIT_of_0", [.. s_down, .. Credit(FrameKind.ResponseCredit, s_new, 0)], "grants 0"),
        Flow("A_RESPONSE_CREDIT_of_2147483648", [.. s_down, .. Credit(FrameKind.ResponseCredit, s_new, 0x8000_0000)], "2147483648"),
        Flow("A_RESPONSE_CREDIT_beyond_all", [.. s_both, .. Raw.Frame(FrameKind.ResponseCredit, s_new, s_most)], "the limit is"),
        new("A_RESPONSE_CREDIT_beyond_all_behind_CANCEL", [.. s_both, .. Cancel(s_new), .. Raw.Frame(FrameKind.ResponseCredit, s_new, s_most)],
            Reaction.Nothing),
        Wrong("An_ITEM_CREDIT_of_a_stream_without_a_window_of_items", [.. s_both, .. Credit(FrameKind.ItemCredit, s_new, 1)], "not counted"),
        Wrong("An_ITEM_CREDIT_of_a_call_without_a_stream", Credit(FrameKind.ItemCredit, s_open, 1), "no such stream"),
        Flow("An_ITEM_CREDIT_of_0", [.. s_down, .. Credit(FrameKind.ItemCredit, s_new, 0)], "grants 0 items"),
        new("An_ITEM_CREDIT_of_an_answered_call", Credit(FrameKind.ItemCredit, s_answered, 1), Reaction.Nothing),
        Flow("A_CREDIT_of_0", Credit(FrameKind.Credit, default, 0), "grants 0"),
        Flow("A_CREDIT_of_2147483648", Credit(FrameKind.Credit, default, 0x8000_0000), "2147483648"),
        Flow("A_CREDIT_beyond_all", Raw.Frame(FrameKind.Credit, default, s_most), "the limit is"),
        Wrong("A_CREDIT_of_3_bytes", Raw.Frame(FrameKind.Credit, default, new byte[3]), "carries 3 bytes"),
        Wrong("A_RESPONSE_CREDIT_of_5_bytes", [.. s_down, .. Raw.Frame(FrameKind.ResponseCredit, s_new, new byte[5])], "carries 5 bytes"),

        Wrong("A_RESPONSE_CREDIT_of_5_bytes_of_an_answered_call", Raw.Frame(FrameKind.ResponseCredit, s_answered, new byte[5]), "carries 5 bytes"),
        Wrong("A_REQUEST_END_of_1_byte_of_an_answered_call", Raw.Frame(FrameKind.RequestEnd, s_answered, [0]), "carries 1 bytes"),
        new("A_RESPONSE_CREDIT_inside_an_item",
            [.. s_both, .. FragmentCases.First(FrameKind.RequestItem, s_new, 100), .. Credit(FrameKind.ResponseCredit, s_new, 1), .. Item(s_new, 100)],
            Reaction.Nothing),

        Own("Items_of_a_reply", [.. Reply(s_ownStream, 0), .. Reply(s_ownStream, 300)], Reaction.Nothing),
        Own("Metadata_ahead_of_a_stream", [.. Meta(s_ownStream, Ahead, [1]), .. Reply(s_ownStream, 300)], Reaction.Nothing),
        Own("Metadata_behind_the_first_item", [.. Reply(s_ownStream, 0), .. Meta(s_ownStream, Ahead, [1])], Ends("not the first item")),
        Own("Metadata_above_the_limit_of_an_item",
            Meta(s_ownStream, MetadataCases.Block(65, "k", []), [1]), Reaction.Answered(new Answer(FrameKind.Cancel, s_ownStream))),
        Own("A_metadata_entry_of_an_item_beyond_its_block", Meta(s_ownStream, [.. Raw.U16(1), 9], []), Ends("inside entry number 1")),
        Own("Body_in_a_first_fragment_behind_its_metadata",
            Raw.Frame(FrameKind.ResponseItem, s_ownStream, [.. Raw.U32(100), .. Ahead, 1], FrameFlags.More | FrameFlags.Meta),
            Ends("the body begins with the second")),
        Own("A_RESPONSE_inside_an_item", [.. FragmentCases.First(FrameKind.ResponseItem, s_ownStream, 100), .. Raw.Frame(FrameKind.Response, s_ownStream)],
            Ends("inside an item")),
        Own("A_RESPONSE_in_fragments_for_a_stream", FragmentCases.First(FrameKind.Response, s_ownStream, 100), Ends("is a stream")),
        Own("An_item_of_a_reply_without_credit", [.. Reply(s_ownStream, 92), .. Reply(s_ownStream, 0)],
            Reaction.GoAway(ConnectionCode.FlowControlError, "without credit")) with { Options = s_littleCredit },
        Own("A_REQUEST_CREDIT_inside_an_item_of_a_reply",
            [.. FragmentCases.First(FrameKind.ResponseItem, s_ownStream, 100), .. Credit(FrameKind.RequestCredit, s_ownStream, 1), .. Reply(s_ownStream, 100)],
            Reaction.Nothing),
        Own("A_REQUEST_CREDIT_of_0", Credit(FrameKind.RequestCredit, s_ownStream, 0), Reaction.GoAway(ConnectionCode.FlowControlError, "grants 0")),
        Own("A_REQUEST_CREDIT_beyond_all", Raw.Frame(FrameKind.RequestCredit, s_ownStream, s_most),
            Reaction.GoAway(ConnectionCode.FlowControlError, "the limit is")),
        Wrong("A_RESPONSE_ITEM_of_a_call_without_a_stream", Reply(s_own, 3), "not a stream"),
        Wrong("A_RESPONSE_ITEM_of_a_call_that_was_never_made", Reply(new(4, 1), 3), "not open"),
        Wrong("A_RESPONSE_ITEM_with_another_generation", Reply(new(1, 2), 3), "not open"),
        Wrong("A_REQUEST_CREDIT_of_a_call_without_a_stream", Credit(FrameKind.RequestCredit, s_own, 1), "not a stream"),
        Wrong("A_REQUEST_CREDIT_of_a_call_that_was_never_made", Credit(FrameKind.RequestCredit, new(4, 1), 1), "not open"),
        new("A_RESPONSE_ITEM_of_a_cancelled_call", Reply(s_ownCancelled, 3), Reaction.Nothing),
        new("A_RESPONSE_inside_an_item_of_a_cancelled_call",
            [.. FragmentCases.First(FrameKind.ResponseItem, s_ownCancelled, 100), .. Raw.Frame(FrameKind.Response, s_ownCancelled)], Reaction.Nothing),
        new("A_REQUEST_CREDIT_of_a_cancelled_call", Credit(FrameKind.RequestCredit, s_ownCancelled, 1), Reaction.Nothing),
    ];

    private static byte[] Open(MethodShape shape, string name) =>
        [.. Raw.Define(2, (byte)shape, name), .. Raw.Request(3, 1, 2, (shape & MethodShape.RequestStream) != 0 ? RequestOptions.Stream : RequestOptions.None)];

    private static byte[] Item(CallId id, int length) => Raw.Frame(FrameKind.RequestItem, id, new byte[length]);

    private static byte[] Reply(CallId id, int length) => Raw.Frame(FrameKind.ResponseItem, id, new byte[length]);

    private static byte[] Ahead => MetadataCases.Block(1, "k", [1]);

    private static byte[] Meta(CallId id, byte[] block, byte[] body) => Raw.Frame(FrameKind.ResponseItem, id, [.. block, .. body], FrameFlags.Meta);

    private static byte[] End(CallId id) => Raw.Frame(FrameKind.RequestEnd, id);

    private static byte[] Cancel(CallId id) => Raw.Frame(FrameKind.Cancel, id, [0]);

    private static byte[] Credit(FrameKind kind, CallId id, uint bytes) => Raw.Frame(kind, id, Raw.U32(bytes));

    private static Reaction Ends(params string[] says) => Reaction.GoAway(ConnectionCode.ProtocolError, says);

    private static BadInputCase Wrong(string name, byte[] bytes, params string[] says) => new(name, bytes, Ends(says));

    private static BadInputCase Flow(string name, byte[] bytes, params string[] says) =>
        new(name, bytes, Reaction.GoAway(ConnectionCode.FlowControlError, says));

    private static BadInputCase Answered(string name, byte[] bytes, Answer answer) => new(name, bytes, Reaction.Answered(answer));

    private static BadInputCase Own(string name, byte[] bytes, Reaction reaction) => new(name, bytes, reaction) { HasOwnStream = true };
}
