using Mux.Protocol;

namespace Mux.ProtocolCases.Cases;

/// <summary>A preface, then a handshake that violates a rule.</summary>
internal static class HelloCases
{
    private static readonly byte[] s_name257 = new byte[257];

    public static IEnumerable<BadInputCase> All { get; } =
    [
        Case("A_HELLO_of_version_0", Raw.Hello(0, 0), Reaction.GoAway(ConnectionCode.VersionMismatch, "0 to 0", "version 1")),
        Case("A_HELLO_of_version_255", Raw.Hello(255, 255), Reaction.GoAway(ConnectionCode.VersionMismatch, "255 to 255", "version 1")),
        Case("A_HELLO_of_later_versions_only", Raw.Hello(2, 255), Reaction.GoAway(ConnectionCode.VersionMismatch, "version 1")),
        Case("An_answer_that_chooses_no_version", Raw.Hello(1, 2), Reaction.GoAway(ConnectionCode.VersionMismatch, "1 to 2")) with { Accepting = false },
        Wrong("A_HELLO_whose_lowest_version_is_above_its_highest", Raw.Hello(2, 1), "2 to 1"),

        .. Enumerable.Range(0, 4).Select(length =>
            Wrong($"A_HELLO_of_{length}_bytes", [.. Preface.Bytes, .. Raw.Frame(FrameKind.Hello, default, new byte[length])], $"carries {length} bytes")),
        Case("A_HELLO_of_4097_bytes", [.. Preface.Bytes, .. Raw.Frame(FrameKind.Hello, default, new byte[4097])],
            Reaction.GoAway(ConnectionCode.FrameTooLarge, "4097", "4096")),
        Wrong("A_HELLO_with_a_flag", [.. Preface.Bytes, .. Raw.Frame(FrameKind.Hello, default, [1, 1, 0, 0], FrameFlags.More)], "flags"),
        Wrong("A_HELLO_with_an_id", [.. Preface.Bytes, .. Raw.Frame(FrameKind.Hello, new CallId(1, 0), [1, 1, 0, 0])], "have id 0"),

        Wrong("A_setting_that_comes_twice", Raw.Hello(1, 1, Raw.Setting(SettingKey.MaxCalls, 5u), Raw.Setting(SettingKey.MaxCalls, 5u)), "setting 3 twice"),
        Wrong("An_unknown_setting_that_comes_twice", Raw.Hello(1, 1, Raw.Setting((SettingKey)999), Raw.Setting((SettingKey)999)), "setting 999 twice"),
        Case("A_HELLO_of_65_settings", Raw.Hello(1, 1, [.. Enumerable.Range(100, 65).Select(key => Raw.Setting((SettingKey)key))]),
            Reaction.GoAway(ConnectionCode.ExcessiveLoad, "more than 64")),
        Wrong("A_setting_cut_in_its_key", Raw.Hello(1, 1, Raw.Setting(SettingKey.MaxCalls, 5u), [3]), "inside setting number 2"),
        Wrong("A_setting_cut_in_its_length", Raw.Hello(1, 1, [3, 0, 4]), "inside setting number 1"),
        Wrong("A_setting_cut_in_its_value", Raw.Hello(1, 1, Raw.Setting(SettingKey.MaxCalls, 5u)[..^1]), "inside setting number 1"),
        Wrong("A_number_of_three_bytes", Raw.Hello(1, 1, Raw.Setting(SettingKey.MaxCalls, [1, 0, 0])), "carries 3 bytes"),
        Wrong("A_number_of_five_bytes", Raw.Hello(1, 1, Raw.Setting(SettingKey.MaxCalls, [1, 0, 0, 0, 0])), "carries 5 bytes"),
        Wrong("A_peer_name_of_257_bytes", Raw.Hello(1, 1, Raw.Setting(SettingKey.PeerName, s_name257)), "257"),
        Wrong("An_instance_id_of_15_bytes", Raw.Hello(1, 1, Raw.Setting(SettingKey.InstanceId, new byte[15])), "must carry 16"),

        Number(SettingKey.MaxFramePayload, 0),
        Number(SettingKey.MaxFramePayload, 1),
        Number(SettingKey.MaxFramePayload, 16_383),
        Number(SettingKey.MaxFramePayload, 65_537),
        Number(SettingKey.MaxFramePayload, uint.MaxValue),
        Number(SettingKey.MaxMessage, 16_383),
        Number(SettingKey.MaxMessage, 1u << 31),
        Number(SettingKey.MaxCalls, 1 << 20),
        Number(SettingKey.StreamCredit, 0),
        Number(SettingKey.StreamCredit, 1u << 31),
        Number(SettingKey.BulkCredit, 0),
        Number(SettingKey.BulkCredit, 1u << 31),
        Number(SettingKey.KeepAlive, 1u << 31),
        Number(SettingKey.Idle, 1u << 31),
        Number(SettingKey.MaxMetadata, 65_536),
        Number(SettingKey.MaxOrdinals, 65_537),
        Number(SettingKey.Fingerprints, 2),
        Number(SettingKey.ControlFrames, 1u << 31),
        Number(SettingKey.TinyFrames, 1u << 31),
        Number(SettingKey.PingInterval, 1u << 31),
        Number(SettingKey.PrematureCancels, 1u << 31),
        Number(SettingKey.StreamMetadata, 2),
        Number(SettingKey.Leases, 2),

        Wrong("A_request_before_HELLO", [.. Preface.Bytes, .. Raw.Request(1, 1, 0)], "before HELLO"),
        Wrong("A_definition_before_HELLO", [.. Preface.Bytes, .. Raw.Define(0, 0, SpecMethods.Echo)], "before HELLO"),
        Wrong("A_ping_before_HELLO", [.. Preface.Bytes, .. Raw.Frame(FrameKind.Ping, default, new byte[8])], "before HELLO"),
        Wrong("An_extension_before_HELLO", [.. Preface.Bytes, .. Raw.Frame(FrameKind.FirstExtension)], "before HELLO"),
        Wrong("An_undefined_kind_before_HELLO", [.. Preface.Bytes, .. Raw.Frame(0)], "0x00"),
        Wrong("A_GOAWAY_of_the_dialing_side_before_HELLO", [.. Preface.Bytes, .. Raw.Frame(FrameKind.GoAway, default, new byte[6])],
            "before HELLO") with { Accepting = true },
        Wrong("An_acknowledgement_before_HELLO", [.. Preface.Bytes, .. Raw.Frame(FrameKind.GoAway, default, [], FrameFlags.Answer)], "before HELLO"),
        Wrong("A_refusal_of_5_bytes", [.. Preface.Bytes, .. Raw.Frame(FrameKind.GoAway, default, new byte[5])], "carries 5 bytes") with { Accepting = false },
        Wrong("A_second_HELLO", Raw.Hello(1, 1)[Preface.Size..], "twice") with { Stage = BadInputStage.Open },
    ];

    private static BadInputCase Case(string name, byte[] bytes, Reaction reaction) => new(name, bytes, reaction) { Stage = BadInputStage.Connected };

    private static BadInputCase Wrong(string name, byte[] bytes, params string[] says) =>
        Case(name, bytes, Reaction.GoAway(ConnectionCode.ProtocolError, says));

    private static BadInputCase Number(SettingKey key, uint value) =>
        Wrong($"The_setting_{key}_of_{value}", Raw.Hello(1, 1, Raw.Setting(key, value)), $"Setting {(int)key} is {value}");
}
