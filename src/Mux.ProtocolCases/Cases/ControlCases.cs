using Mux.Protocol;

namespace Mux.ProtocolCases.Cases;

/// <summary>CANCEL, PING and GOAWAY. Of the peer's calls, slot 1 is open and slot 2 is answered.</summary>
internal static class ControlCases
{
    private static readonly CallId s_open = new(1, 1), s_answered = new(2, 1);
    private static readonly byte[] s_draining = [(byte)ConnectionCode.Draining, 0, 0, 0, 0, 0];

    public static IEnumerable<BadInputCase> All { get; } =
    [
        Wrong("A_CANCEL_of_a_call_that_was_never_made", Cancel(new(3, 1)), "not the last of its slot"),
        Wrong("A_CANCEL_in_the_last_slot_there_is", Cancel(new(CallId.MaxSlot, 1)), "not the last of its slot"),
        Wrong("A_CANCEL_of_a_call_to_come", Cancel(new(1, 2)), "not the last of its slot"),
        Wrong("A_CANCEL_of_a_call_before_the_last", Cancel(new(2, 0)), "not the last of its slot"),
        new("A_CANCEL_of_an_answered_call", Cancel(s_answered), Reaction.Nothing),
        Wrong("A_CANCEL_of_2_bytes_of_an_answered_call", Raw.Frame(FrameKind.Cancel, s_answered, [0, 0]), "carries 2 bytes"),
        new("A_CANCEL_that_comes_twice", [.. Cancel(s_open), .. Cancel(s_open)], Reaction.Nothing),
        new("A_CANCEL_with_an_unknown_reason", Raw.Frame(FrameKind.Cancel, s_open, [77]), Reaction.Nothing),

        new("An_answer_to_a_PING_that_was_not_sent", Raw.Frame(FrameKind.Ping, default, new byte[8], FrameFlags.Answer), Reaction.Nothing),
        Wrong("An_acknowledgement_of_a_GOAWAY_that_was_not_sent", Raw.Frame(FrameKind.GoAway, default, [], FrameFlags.Answer), "not sent"),
        Wrong("An_acknowledgement_of_1_byte", Raw.Frame(FrameKind.GoAway, default, [0], FrameFlags.Answer), "carries 1 bytes"),
        new("A_drain_that_is_announced_twice", [.. Raw.Frame(FrameKind.GoAway, default, s_draining), .. Raw.Frame(FrameKind.GoAway, default, s_draining)],
            Reaction.Answered(new Answer(FrameKind.GoAway, default))),
        new("A_request_of_a_side_that_drains", [.. Raw.Frame(FrameKind.GoAway, default, s_draining), .. Raw.Request(3, 1, 0)],
            Reaction.Answered(new Answer(FrameKind.GoAway, default), Answer.Response(new(3, 1)))),
    ];

    private static byte[] Cancel(CallId id) => Raw.Frame(FrameKind.Cancel, id, [0]);

    private static BadInputCase Wrong(string name, byte[] bytes, params string[] says) => new(name, bytes, Reaction.GoAway(ConnectionCode.ProtocolError, says));
}
