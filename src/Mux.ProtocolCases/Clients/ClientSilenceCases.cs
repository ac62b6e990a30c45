using Mux.Protocol;
using Mux.ProtocolCases.Cases;
using Mux.ProtocolCases.Running;

namespace Mux.ProtocolCases.Clients;

/// <summary>
/// Servers that fall silent. The client must notice: within the handshake timeout, 10 s, and within the stall timeout, 30 s, if a frame was begun, unless other
/// times are configured.
/// </summary>
internal static class ClientSilenceCases
{
    private const string Expected = "GOAWAY SlowPeer, closed";

    public static IEnumerable<ClientCase> All { get; } =
    [
        Silence("A_server_that_says_nothing", 1, "nothing", []),
        Silence("A_preface_and_then_nothing", 9, "the preface, and then nothing", Preface.Bytes.ToArray()),
        Silence("A_HELLO_that_is_cut_and_then_nothing", 9, "half a HELLO, and then nothing", Raw.Hello(1, 1)[..^2]),
        Silence("A_challenge_that_never_comes", null, "a HELLO with setting 14, and no AUTH", Raw.Hello(1, 1, Raw.Setting(SettingKey.Authentication, 1u))),
        Silence("A_frame_that_is_never_finished", 43, "half a frame after the handshake, and then nothing",
            [.. Raw.Header(FrameKind.FirstExtension, default, 100), 1, 2, 3], isOpen: true),
    ];

    private static ClientCase Silence(string name, int? row, string sent, byte[] bytes, bool isOpen = false) => new(name, sent, Expected, async scene =>
    {
        var wire = isOpen ? (await scene.AcceptAsync().ConfigureAwait(false)).Wire : await scene.ConnectAsync().ConfigureAwait(false);
        scene.Begin(Expected, sent);
        await wire.SendAsync(bytes, scene.Deadline).ConfigureAwait(false);
        bool hasSaid = false;
        while (await wire.ReadAsync(scene.Deadline).ConfigureAwait(false) is { } frame)
        {
            if (frame.Kind == FrameKind.GoAway && GoAwayFrame.TryRead(frame.Payload, out var goAway, out _) && goAway.Code == ConnectionCode.SlowPeer)
                hasSaid = true;
            else if (frame.Kind == FrameKind.GoAway)
                throw new SpecFailure($"{frame}");
        }

        wire.ShutdownSend();
        await wire.EndAsync(scene.Deadline).ConfigureAwait(false);
        return hasSaid ? "GOAWAY SlowPeer, closed" : throw new SpecFailure("closed without GOAWAY");
    })
    { Row = row, IsSilence = true, IsOpen = isOpen };
}
