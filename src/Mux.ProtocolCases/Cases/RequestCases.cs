using Mux.Protocol;

namespace Mux.ProtocolCases.Cases;

/// <summary>Requests and definitions. Slot 1 is open, slot 2 is answered with generation 1, slot 3 is the next new one; ordinals 0 and 1 are defined.</summary>
internal static class RequestCases
{
    private static readonly CallId s_new = new(3, 1);
    private static readonly int[] s_wrongFingerprints = [0, 1, 7, 9, 300];

    /// <param name="echo">Name of an echo method.</param>
    public static IEnumerable<BadInputCase> For(string echo) =>
    [
        .. Enumerable.Range(0, 4).Select(length =>
            Wrong($"A_REQUEST_of_{length}_bytes", Raw.Frame(FrameKind.Request, s_new, new byte[length]), $"carries {length} bytes")),
        Wrong("An_undefined_option_bit", Raw.Request(3, 1, 0, (RequestOptions)0x4000), "0x4000"),
        Wrong("The_highest_option_bit", Raw.Request(3, 1, 0, (RequestOptions)0x8000), "0x8000"),
        Wrong("Priority_3", Raw.Request(3, 1, 0, RequestOptions.PriorityMask), "priority 3"),
        Wrong("A_one_way_stream", Raw.Request(3, 1, 0, RequestOptions.OneWay | RequestOptions.Stream), "one-way"),
        Wrong("A_deadline_that_is_not_there", Raw.Request(3, 1, 0, RequestOptions.Deadline, 1, 2, 3), "its head alone takes 8"),
        Wrong("A_trace_context_that_is_not_there", Raw.Request(3, 1, 0, RequestOptions.Trace, new byte[24]), "its head alone takes 29"),
        Wrong("An_undefined_ordinal", Raw.Request(3, 1, 2), "2 are defined"),

        Wrong("A_request_in_an_open_slot_with_its_generation", Raw.Request(1, 1, 0), "is open"),
        Wrong("A_request_in_an_open_slot_with_the_next_generation", Raw.Request(1, 2, 0), "is open"),
        Wrong("A_request_with_the_generation_of_the_answered_one", Raw.Request(2, 1, 0), "generation of its slot is 2"),
        Wrong("A_request_that_skips_a_generation", Raw.Request(2, 3, 0), "generation of its slot is 2"),
        Wrong("A_request_with_a_generation_before_the_answered_one", Raw.Request(2, 0, 0), "generation of its slot is 2"),
        Wrong("A_first_request_of_generation_0", Raw.Request(3, 0, 0), "generation of its slot is 1"),
        Wrong("A_request_that_skips_a_slot", Raw.Request(4, 1, 0), "next new one is 3"),
        Wrong("A_request_in_the_last_slot_there_is", Raw.Request(CallId.MaxSlot, 1, 0), "above 16384"),
        Wrong("A_request_in_a_slot_above_the_limit", Raw.Request(3, 1, 0), "above 2") with { Options = new() { Local = new() { MaxCalls = 2 } } },

        Lives("A_request_without_a_body", Raw.Request(3, 1, 0), Answer.Response(s_new)),
        Lives("A_request_of_the_largest_size", Raw.Request(3, 1, 0, RequestOptions.None, new byte[65_532]), Answer.Response(s_new)),
        Lives("A_request_with_a_trace_context", Raw.Request(3, 1, 0, RequestOptions.Trace, new byte[25]), Answer.Response(s_new)),
        Lives("A_request_that_is_a_retry", Raw.Request(3, 1, 0, RequestOptions.Retry | RequestOptions.Idempotent), Answer.Response(s_new)),
        Lives("A_request_that_has_passed_a_gateway", Raw.Request(3, 1, 0, (RequestOptions)0x100), Answer.Response(s_new)),
        Lives("A_request_that_has_passed_15_gateways", Raw.Request(3, 1, 0, (RequestOptions)0xF00), Answer.Response(s_new)),
        Wrong("A_key_that_is_not_there", Raw.Request(3, 1, 0, RequestOptions.Key, new byte[7]), "its head alone takes 12"),
        Lives("A_request_that_expired_on_its_way", Raw.Request(3, 1, 0, RequestOptions.Deadline, Raw.U32(0)), Answer.Fail(s_new, MuxStatus.DeadlineExceeded)),
        Lives("A_request_with_the_longest_deadline", Raw.Request(3, 1, 0, RequestOptions.Deadline, Raw.U32(uint.MaxValue)), Answer.Response(s_new)),
        Lives("A_request_of_an_unknown_method", [.. Raw.Define(2, 0, SpecMethods.Nowhere), .. Raw.Request(3, 1, 2)],
            Answer.Fail(s_new, MuxStatus.Unimplemented)),
        Lives("A_request_of_a_method_with_another_shape", [.. Raw.Define(2, 4, echo), .. Raw.Request(3, 1, 2)], Answer.Fail(s_new, MuxStatus.Unimplemented)),
        Lives("A_request_of_a_streaming_method", [.. Raw.Define(2, 3, echo), .. Raw.Request(3, 1, 2)], Answer.Fail(s_new, MuxStatus.Unimplemented)),
        Lives("A_method_name_that_is_no_UTF_8", [.. Raw.Define(2, 0, [0xFF, 0xC0]), .. Raw.Request(3, 1, 2)], Answer.Fail(s_new, MuxStatus.Unimplemented)),
        Lives("A_method_name_with_a_zero", [.. Raw.Define(2, 0, echo + "\0"), .. Raw.Request(3, 1, 2)], Answer.Fail(s_new, MuxStatus.Unimplemented)),
        Lives("A_method_name_of_256_bytes", [.. Raw.Define(2, 0, new byte[256]), .. Raw.Request(3, 1, 2)], Answer.Fail(s_new, MuxStatus.Unimplemented)),

        Wrong("A_DEFINE_of_0_bytes", Raw.Frame(FrameKind.Define), "1 to 256"),
        Wrong("An_empty_method_name", Raw.Define(2, 0, []), "1 to 256"),
        Wrong("A_method_name_of_257_bytes", Raw.Define(2, 0, new byte[257]), "257"),
        Wrong("An_undefined_shape", Raw.Define(2, 16, echo), "shape 16"),
        Wrong("An_undefined_shape_beside_a_fingerprint", Raw.Define(2, 0x88, "a name of some length"u8), "shape 136"),
        Lives("A_definition_with_another_fingerprint", [.. Raw.DefineWith(2, echo), .. Raw.Request(3, 1, 2)], new Answer(FrameKind.Define, default),
            Answer.Response(s_new)),
        Lives("A_definition_with_a_fingerprint_of_zeros", [.. Raw.DefineWith(2, echo, new byte[8]), .. Raw.Request(3, 1, 2)], Answer.Response(s_new)),
        Lives("A_definition_of_an_unknown_method_with_a_fingerprint", [.. Raw.DefineWith(2, SpecMethods.Nowhere), .. Raw.Request(3, 1, 2)],
            Answer.Fail(s_new, MuxStatus.Unimplemented)),
        Lives("A_definition_of_256_bytes_of_name_with_a_fingerprint", [.. Raw.DefineWith(2, new byte[256]), .. Raw.Request(3, 1, 2)],
            Answer.Fail(s_new, MuxStatus.Unimplemented)),
        Wrong("A_fingerprint_that_is_not_there", Raw.DefineWith(2, [], [1]), "of 0 bytes"),
        Wrong("A_fingerprint_of_7_bytes", Raw.DefineWith(2, [], new byte[7]), "of 0 bytes"),
        Wrong("A_fingerprint_without_a_name", Raw.DefineWith(2, []), "of 0 bytes"),
        Wrong("A_name_of_257_bytes_behind_a_fingerprint", Raw.DefineWith(2, new byte[257]), "of 257 bytes"),
        .. s_wrongFingerprints.Select(length =>
            Wrong($"An_answer_to_DEFINE_with_a_fingerprint_of_{length}_bytes", Raw.DefineAnswer(0, length), $"carries {length + 2} bytes")),
        Wrong("An_answer_to_a_DEFINE_that_was_sent_without_a_fingerprint", Raw.DefineAnswer(0), "ordinal 0"),
        Wrong("An_answer_to_a_DEFINE_that_was_not_sent", Raw.DefineAnswer(ushort.MaxValue), "ordinal 65535"),
        Wrong("A_definition_that_leaves_a_gap", Raw.Define(3, 0, echo), "the next is 2"),
        Wrong("A_redefinition", Raw.Define(0, 0, echo), "the next is 2"),
        new("One_definition_more_than_taken", Raw.Define(2, 0, echo),
            Reaction.GoAway(ConnectionCode.ExcessiveLoad, "at most 2")) { Options = new() { Local = new() { MaxOrdinals = 2 } } },
    ];

    private static BadInputCase Wrong(string name, byte[] bytes, params string[] says) => new(name, bytes, Reaction.GoAway(ConnectionCode.ProtocolError, says));

    private static BadInputCase Lives(string name, byte[] bytes, params Answer[] answers) => new(name, bytes, Reaction.Answered(answers));
}
