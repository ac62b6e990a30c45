using Mux.Engine;
using Mux.Protocol;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Connections;

/// <summary>Whatever a peer sends, in whatever order and pieces: nothing of it runs before its credential is taken.</summary>
public sealed class AdmissionOrderTests
{
    [Fact]
    public void No_call_is_dispatched_before_authentication_whatever_the_order_and_the_splits() => Seeds.ForEach(2_000, oneIn: 20, Run);

    /// <returns>Whether calls ran, which are to run behind a good credential and only there.</returns>
    private static bool Run(int seed)
    {
        var random = new Random(seed);
        var work = new ManualWork();
        bool isTaken = false;
        var admission = new ProbeAdmission
        {
            Decide = evidence =>
            {
                isTaken |= evidence.Credential[^1] == 1;
                return Task.FromResult(new Admittance(evidence.Credential[^1] == 1 ? new ProbeAccess() : null, "Forged."));
            },
        };
        var peer = new ScriptedPeer(accepting: true, new ConnectionOptions { Admission = admission, Work = work });
        var echo = peer.Methods.Add("test/Echo");
        echo.Handler = body =>
        {
            Assert.True(isTaken, "A call ran before authentication.");
            return body;
        };

        var bytes = new List<byte>(Script(random));
        for (int at = 0; at < bytes.Count;)
        {
            int count = Math.Min(1 + random.Next(random.Next(2) == 0 ? 3 : 60), bytes.Count - at);
            peer.Send(bytes.GetRange(at, count).ToArray());
            at += count;
            if (work.Count > 0 && random.Next(4) == 0) work.RunAll();
            Assert.True(isTaken || echo.Bodies.Count == 0);
            Assert.True(isTaken || !peer.Owner.Opened);
        }

        return echo.Bodies.Count > 0;
    }

    /// <summary>Handshake, credentials good and bad, definitions and calls; in their order half of the time, with a pause behind the credential in which it can be taken.</summary>
    private static IEnumerable<byte> Script(Random random)
    {
        byte[][] frames =
        [
            ScriptedPeer.Hello(PeerSettings.Default),
            ScriptedPeer.Frame(FrameKind.Auth, default, [5, .. "probe"u8, (byte)(random.Next(4) == 0 ? 2 : 1)]),
            .. Enumerable.Range(0, random.Next(60)).Select(_ => ScriptedPeer.Frame(FrameKind.Ping, default, new byte[8])),
            ScriptedPeer.Frame(FrameKind.Define, default, [0, 0, 0, .. "test/Echo"u8]),
            .. Enumerable.Range(1, 3).Select(slot => ScriptedPeer.Frame(FrameKind.Request, new CallId(slot, 1), [0, 0, 0, 0, 9])),
        ];
        if (random.Next(2) == 0) random.Shuffle(frames.AsSpan(random.Next(2)));
        return [.. Preface.Bytes, .. frames.SelectMany(frame => frame)];
    }
}
