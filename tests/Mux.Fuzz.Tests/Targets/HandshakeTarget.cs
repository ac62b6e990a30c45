using Mux.Engine;
using Mux.Protocol;
using Mux.TestSupport.Connections;

namespace Mux.Fuzz.Tests.Targets;

/// <summary>A handshake ends alike wherever its bytes are split, and what it agrees on is in range.</summary>
internal sealed class HandshakeTarget(bool accepting) : FuzzTarget
{
    public override string Name => accepting ? "handshake-accepting" : "handshake-dialing";

    public override IReadOnlyList<byte[]> Examples { get; } =
    [
        [.. Preface.Bytes, .. ScriptedPeer.Hello(PeerSettings.Default)],
        [.. Preface.Bytes, .. ScriptedPeer.Hello(PeerSettings.Default with { MaxCalls = 7, PeerName = "peer" })],
        [.. Preface.Bytes, .. ScriptedPeer.Frame(FrameKind.GoAway, default, [3, 0, 0, 0, 2, 0, (byte)'n', (byte)'o'])],
        ScriptedPeer.Frame(FrameKind.Hello, default, [1, 1, 0, 0, 1, 0, 4, 0, 0, 64, 0, 0]),
        ScriptedPeer.Frame(FrameKind.Hello, default, [0, 255, 0, 0, 99, 0, 2, 0, 1, 2]),
    ];

    public override int Run(ReadOnlySpan<byte> input, Random random)
    {
        var whole = Read(input, [input.Length]);
        Assert.Equal(whole, Read(input, Split(input.Length, random)));
        return KindOf(whole.StartsWith(nameof(Handshake.Step.Refused), StringComparison.Ordinal) ? nameof(Handshake.Step.Refused) : whole); // what the peer says is no news
    }

    private string Read(ReadOnlySpan<byte> input, List<int> pieces)
    {
        var sut = new Handshake(accepting);
        int begin = 0, end = 0;
        foreach (int piece in pieces)
        {
            end += piece;
            var step = sut.Read(input[begin..end], out int consumed, out var violation);
            Assert.InRange(consumed, 0, end - begin);
            Assert.Equal(step == Handshake.Step.Violation, violation is not null);
            begin += consumed;
            if (step == Handshake.Step.Incomplete) continue;
            if (step == Handshake.Step.Done) CheckRanges(sut.Peer!);
            return $"{step} {sut.Refusal.Code} {violation?.Code} {violation?.Text} {sut.Peer} {sut.Refusal.Text}";
        }

        return "Incomplete";
    }

    private static void CheckRanges(PeerSettings peer)
    {
        Assert.InRange(peer.MaxFramePayload, 16 * 1024, 64 * 1024);
        Assert.InRange(peer.MaxCalls, 0, (1 << 20) - 1);
        Assert.InRange(peer.MaxMessage, 1, int.MaxValue);
        Assert.InRange(peer.StreamCredit, 0, int.MaxValue);
        Assert.InRange(peer.PeerName.Length, 0, 256);
    }
}
