using Mux.Protocol;

namespace Mux.ProtocolCases.Cases;

/// <summary>Other protocols: the connection is closed without a byte.</summary>
internal static class PrefaceCases
{
    public static IEnumerable<BadInputCase> All { get; } =
    [
        Foreign("An_HTTP_1_request", Raw.Text("GET / HTTP/1.1\r\nHost: mux\r\n\r\n")),
        Foreign("An_HTTP_2_preface", Raw.Text("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")),
        Foreign("A_TLS_hello", [0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xFC, 0x03, 0x03]),
        Foreign("An_empty_TLS_record", [0x16, 0x03, 0x01, 0x00, 0x00]),
        Foreign("A_HELLO_without_a_preface", Raw.Hello(1, 1)[Preface.Size..]),
        .. Enumerable.Range(0, Preface.Size).Select(at => Foreign($"A_preface_whose_byte_{at}_is_off_by_one", WrongAt(at))),
    ];

    private static BadInputCase Foreign(string name, byte[] bytes) => new(name, bytes, Reaction.Silence) { Stage = BadInputStage.Connected };

    private static byte[] WrongAt(int index)
    {
        var hello = Raw.Hello(1, 1);
        hello[index]++;
        return hello;
    }
}
