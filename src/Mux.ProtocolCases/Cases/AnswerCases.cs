using Mux.Protocol;

namespace Mux.ProtocolCases.Cases;

/// <summary>Answers to calls. Slot 1 is open, slot 2 was cancelled and waits for its answer, slot 3 is answered; all are of generation 1.</summary>
internal static class AnswerCases
{
    private static readonly CallId s_open = new(1, 1), s_cancelled = new(2, 1), s_answered = new(3, 1);
    private static readonly byte[] s_fail = [(byte)MuxStatus.NotFound, 2, 0, 0, 0, 0, 0, 0];

    public static IEnumerable<BadInputCase> All { get; } =
    [
        Stray("A_RESPONSE_to_a_call_that_was_never_made", Raw.Frame(FrameKind.Response, new(4, 1))),
        Stray("A_RESPONSE_in_the_last_slot_there_is", Raw.Frame(FrameKind.Response, new(CallId.MaxSlot, 1))),
        Stray("A_RESPONSE_with_another_generation", Raw.Frame(FrameKind.Response, new(1, 2))),
        Stray("A_second_RESPONSE", Raw.Frame(FrameKind.Response, s_answered)),
        Stray("A_FAIL_behind_a_RESPONSE", Raw.Frame(FrameKind.Fail, s_answered, s_fail)),
        Stray("A_FAIL_to_a_call_that_was_never_made", Raw.Frame(FrameKind.Fail, new(4, 1), s_fail)),
        Stray("A_second_answer_to_a_cancelled_call", [.. Raw.Frame(FrameKind.Response, s_cancelled), .. Raw.Frame(FrameKind.Response, s_cancelled)]),

        new("A_late_RESPONSE_to_a_cancelled_call", Raw.Frame(FrameKind.Response, s_cancelled, [1, 2, 3]), Reaction.Nothing),
        new("A_late_FAIL_to_a_cancelled_call", Raw.Frame(FrameKind.Fail, s_cancelled, s_fail), Reaction.Nothing),

        Wrong("A_FAIL_of_0_bytes", Raw.Frame(FrameKind.Fail, s_open), "carries 0 bytes"),
        Wrong("A_FAIL_of_7_bytes", Raw.Frame(FrameKind.Fail, s_open, new byte[7]), "carries 7 bytes"),
        Wrong("A_FAIL_of_7_bytes_to_a_cancelled_call", Raw.Frame(FrameKind.Fail, s_cancelled, new byte[7]), "carries 7 bytes"),
        new("A_late_FAIL_with_the_status_0", Raw.Frame(FrameKind.Fail, s_cancelled, [0, 2, 0, 0, 0, 0, 0, 0]), Reaction.Nothing),
        new("A_late_FAIL_with_a_time_to_retry", Raw.Frame(FrameKind.Fail, s_cancelled, [8, 0, 0xE8, 3, 0, 0, 0, 0]), Reaction.Nothing),
        Wrong("A_FAIL_of_16385_bytes", Raw.Frame(FrameKind.Fail, s_open, new byte[16_385]), "16385"),
        Wrong("A_FAIL_whose_text_is_longer_than_it", Raw.Frame(FrameKind.Fail, s_open, [5, 2, 0, 0, 0, 0, 3, 0, 65, 66]), "announces 3 bytes"),
        Wrong("A_FAIL_with_an_undefined_execution", Raw.Frame(FrameKind.Fail, s_open, [5, 3, 0, 0, 0, 0, 0, 0]), "execution 3"),
    ];

    private static BadInputCase Stray(string name, byte[] bytes) => Wrong(name, bytes, "not open");

    private static BadInputCase Wrong(string name, byte[] bytes, params string[] says) => new(name, bytes, Reaction.GoAway(ConnectionCode.ProtocolError, says));
}
