using Mux.Engine;
using Mux.Protocol;

namespace Mux.ProtocolCases.Cases;

/// <summary>Frames whose header violates a rule, or whose length does not fit their kind.</summary>
internal static class HeaderCases
{
    private static readonly CallId s_call = new(1, 1);

    private static readonly FrameKind[] s_undefined =
    [
        0, (FrameKind)0x0D, (FrameKind)0x0E, (FrameKind)0x0F, (FrameKind)0x16, (FrameKind)0x17,
    ];

    private static readonly ConnectionOptions s_readsLeases = new() { Local = new PeerSettings { ReadsLeases = true } };

    private static readonly (FrameKind Kind, CallId Id, int Length, FrameFlags Allowed)[] s_kinds =
    [
        (FrameKind.Hello, default, 4, FrameFlags.None),
        (FrameKind.Ping, default, 8, FrameFlags.Answer),
        (FrameKind.GoAway, default, 6, FrameFlags.Answer),
        (FrameKind.Define, default, 12, FrameFlags.Answer),
        (FrameKind.Credit, default, 4, FrameFlags.None),
        (FrameKind.Lease, default, LeaseFrame.Length, FrameFlags.None),
        (FrameKind.Auth, default, 36, FrameFlags.Answer),
        (FrameKind.Request, new(3, 1), 4, FrameFlags.More | FrameFlags.Meta | FrameFlags.Compressed), // compression has its own code
        (FrameKind.Cancel, s_call, 1, FrameFlags.None),
        (FrameKind.RequestItem, s_call, 1, FrameFlags.More | FrameFlags.Compressed),
        (FrameKind.RequestEnd, s_call, 0, FrameFlags.None),
        (FrameKind.RequestCredit, s_call, 4, FrameFlags.None),
        (FrameKind.ResponseItem, s_call, 1, FrameFlags.More | FrameFlags.Meta | FrameFlags.Compressed),
        (FrameKind.ResponseCredit, s_call, 4, FrameFlags.None),
        (FrameKind.ItemWindow, s_call, 4, FrameFlags.None),
        (FrameKind.ItemCredit, s_call, 4, FrameFlags.None),
        (FrameKind.Response, s_call, 0, FrameFlags.More | FrameFlags.Meta | FrameFlags.Compressed),
        (FrameKind.Fail, s_call, 8, FrameFlags.Meta),
    ];

    public static IEnumerable<BadInputCase> All { get; } =
    [
        .. s_undefined.Select(kind => Wrong($"The_undefined_kind_{(int)kind:X2}", Raw.Frame(kind, s_call), $"0x{(int)kind:X2}")),
        new("Frames_of_all_extension_kinds", [.. Enumerable.Range(0x18, 8).SelectMany(Extension)], Reaction.Nothing),

        TooLarge("A_frame_of_one_byte_more_than_taken", Raw.Header(FrameKind.Request, new(3, 1), 65_537)),
        TooLarge("A_frame_of_one_byte_more_than_a_lower_limit", Raw.Header(FrameKind.Request, new(3, 1), 16_385)) with { Options = Limited(16_384) },
        TooLarge("An_extension_of_one_byte_more_than_taken", Raw.Header(FrameKind.FirstExtension, default, 65_537)),
        TooLarge("A_frame_of_the_largest_length", Raw.Header(FrameKind.Response, s_call, 0xFF_FFFF)),
        TooLarge("The_length_word_7FFFFFFF", [0xFF, 0xFF, 0xFF, 0x7F, 0, 0, 0, 0]),
        Wrong("The_length_word_80000000", [0, 0, 0, 0x80, 0, 0, 0, 0], "0x00"),
        TooLarge("The_length_word_FFFFFFFF", [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0]),

        Wrong("An_AUTH_that_was_not_asked_for", Raw.Frame(FrameKind.Auth, default, [5, .. "probe"u8, 1, 2, 3]), "not asked for"),
        Wrong("An_answer_to_AUTH_that_was_not_sent", Raw.Frame(FrameKind.Auth, default, new byte[36], FrameFlags.Answer), "not asked for"),
        Wrong("A_LEASE_that_was_not_asked_for", Lease(100, 1_000, 63), "not asked for"),
        Wrong("A_LEASE_of_0_bytes", Raw.Frame(FrameKind.Lease), "carries 0 bytes"),
        Wrong("A_LEASE_of_9_bytes", Raw.Frame(FrameKind.Lease, default, new byte[9]), "carries 9 bytes"),
        Wrong("A_LEASE_of_11_bytes", Raw.Frame(FrameKind.Lease, default, new byte[11]), "carries 11 bytes"),
        Wrong("A_LEASE_of_the_utilisation_1001", Lease(100, 1_000, 1_001 << 6), "1001"),
        new("A_LEASE", Lease(100, 1_000, 1_000 << 6 | 63), Reaction.Nothing) { Options = s_readsLeases },
        new("A_LEASE_of_no_calls", Lease(0, 1_000, 0), Reaction.Nothing) { Options = s_readsLeases },
        new("A_LEASE_of_all_calls_for_ever", Lease(uint.MaxValue, uint.MaxValue, 63), Reaction.Nothing) { Options = s_readsLeases },
        Wrong("A_PING_of_0_bytes", Raw.Frame(FrameKind.Ping), "carries 0 bytes"),
        Wrong("A_PING_of_7_bytes", Raw.Frame(FrameKind.Ping, default, new byte[7]), "carries 7 bytes"),
        Wrong("A_PING_of_9_bytes", Raw.Frame(FrameKind.Ping, default, new byte[9]), "carries 9 bytes"),
        Wrong("A_GOAWAY_of_0_bytes", Raw.Frame(FrameKind.GoAway), "carries 0 bytes"),
        Wrong("A_GOAWAY_of_1031_bytes", Raw.Frame(FrameKind.GoAway, default, new byte[1031]), "1031"),
        Wrong("A_CANCEL_of_0_bytes", Raw.Frame(FrameKind.Cancel, s_call), "carries 0 bytes"),
        Wrong("A_CANCEL_of_2_bytes", Raw.Frame(FrameKind.Cancel, s_call, new byte[2]), "carries 2 bytes"),

        .. s_kinds.SelectMany(kind => new[] { FrameFlags.More, FrameFlags.Meta, FrameFlags.Compressed }
            .Where(flag => (kind.Allowed & flag) == 0)
            .Select(flag => Wrong($"A_{kind.Kind}_with_the_flag_{(int)flag}", Raw.Frame(kind.Kind, kind.Id, new byte[kind.Length], flag), "flags"))),
        new("A_compressed_REQUEST", Raw.Frame(FrameKind.Request, new(3, 1), new byte[4], FrameFlags.Compressed),
            Reaction.GoAway(ConnectionCode.CompressionError, "compress")),
        new("A_compressed_RESPONSE", Raw.Frame(FrameKind.Response, s_call, [], FrameFlags.Compressed),
            Reaction.GoAway(ConnectionCode.CompressionError, "compress")),
        new("A_compressed_REQUEST_ITEM_with_a_flag_that_it_does_not_carry",
            Raw.Frame(FrameKind.RequestItem, s_call, new byte[1], FrameFlags.Compressed | FrameFlags.Meta),
            Reaction.GoAway(ConnectionCode.CompressionError, "compress")),

        .. s_kinds.Where(kind => kind.Id == default).SelectMany(kind => new[] { new CallId(1, 1), new CallId(0, 1) }
            .Select(id => Wrong($"A_{kind.Kind}_with_the_id_{id.Slot}_{id.Generation}", Raw.Frame(kind.Kind, id, new byte[kind.Length]), "have id 0"))),
        .. s_kinds.Where(kind => kind.Id != default).SelectMany(kind => new[] { new CallId(0, 0), new CallId(0, 1) }
            .Select(id => Wrong($"A_{kind.Kind}_with_the_id_{id.Slot}_{id.Generation}", Raw.Frame(kind.Kind, id, new byte[kind.Length]),
                "slot of at least 1"))),
    ];

    private static BadInputCase Wrong(string name, byte[] bytes, params string[] says) => new(name, bytes, Reaction.GoAway(ConnectionCode.ProtocolError, says));

    private static BadInputCase TooLarge(string name, byte[] bytes) => new(name, bytes, Reaction.GoAway(ConnectionCode.FrameTooLarge, "at most"));

    private static byte[] Lease(uint calls, uint lifetime, ushort hint) =>
        Raw.Frame(FrameKind.Lease, default, [.. Raw.U32(calls), .. Raw.U32(lifetime), .. Raw.U16(hint)]);

    private static byte[] Extension(int kind) => Raw.Frame((FrameKind)kind, new CallId(kind, 7), new byte[kind], (FrameFlags)(kind & 7));

    private static ConnectionOptions Limited(int maxFramePayload) => new() { Local = new PeerSettings { MaxFramePayload = maxFramePayload } };
}
