using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.ProtocolCases.Cases;
using Mux.Runtime;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Framing;

/// <summary>Whole connections that receive damaged streams: whatever comes, every call is decided, and nothing is left behind.</summary>
[Collection(nameof(ProcessWideCounters))]
public sealed class MutatedConnectionTests
{
    private static readonly MethodDescriptor s_own = new("test", "Own", MethodShape.Unary, takesToken: false);

    /// <summary>What an orderly peer sends: a handshake, calls, cancels, answers to the calls of the other side, and a drain.</summary>
    private static readonly byte[] s_valid =
    [
        .. Raw.Hello(1, 1, Raw.Setting(SettingKey.MaxCalls, 100u)),
        .. Raw.Define(0, 0, "test/Echo"u8),
        .. Raw.Define(1, 0, "test/Slow"u8),
        .. Raw.Request(1, 1, 0, RequestOptions.None, 1, 2, 3),
        .. Raw.Request(2, 1, 1, RequestOptions.Deadline, 0, 1, 0, 0, 9),
        .. Raw.Request(3, 1, 1),
        .. Raw.Request(1, 2, 0, RequestOptions.OneWay, 4),
        .. Raw.Frame(FrameKind.Cancel, new CallId(3, 1), [0]),
        .. Raw.Frame(FrameKind.Ping, default, new byte[8]),
        .. Raw.Frame(FrameKind.Response, new CallId(1, 1), [7, 7]),
        .. Raw.Frame(FrameKind.Fail, new CallId(2, 1), [5, 2, 0, 0, 0, 0, 1, 0, 65]),
        .. Raw.Frame((FrameKind)0x1A, new CallId(9, 9), new byte[30]),
        .. Raw.Frame(FrameKind.GoAway, default, [(byte)ConnectionCode.Draining, 0, 0, 0, 0, 0]),
        .. Raw.Frame(FrameKind.Response, new CallId(3, 1), []),
    ];

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void The_undamaged_stream_is_one_an_orderly_connection_takes(bool accepting)
    {
        var (peer, calls) = Open(accepting);
        Receive(peer, s_valid, new Random(1));

        Assert.Null(peer.Owner.End);
        Assert.All(calls, call => Assert.True(call.IsDone));
        peer.End();
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_damaged_stream_decides_every_call_and_leaves_nothing(bool accepting) => Seeds.ForEach(2_000, seed =>
    {
        var random = new Random(seed);
        long buffersBefore = BufferPool.Outstanding;
        var (peer, calls) = Open(accepting);
        byte[] stream = random.Next(10) == 0 ? Noise(random) : Mutation.Of(s_valid, random);

        Receive(peer, stream, random);
        peer.Time.Advance(TimeSpan.FromSeconds(random.Next(3) * 10));
        peer.End();

        Assert.NotNull(peer.Owner.End);
        Assert.NotEqual(CloseReason.Internal, peer.Owner.End.Reason);
        Assert.All(calls, call => Assert.True(call.IsDone ^ peer.Owner.Withdrawn.Contains(call), "A call was left open, or both decided and handed back."));
        Assert.Equal(peer.Sut.Initiator.Started, peer.Sut.Initiator.TurnTally.Total + peer.Sut.Initiator.LockedTally.Total);
        Assert.Equal(buffersBefore, BufferPool.Outstanding);
        Assert.Equal(0, peer.Time.ArmedTimers);
    });

    private static (ScriptedPeer Peer, List<ProbeCall> Calls) Open(bool accepting)
    {
        var peer = new ScriptedPeer(accepting, new ConnectionOptions { Work = new ManualWork() });
        peer.Methods.Add("test/Echo").Handler = body => body;
        peer.Methods.Add("test/Slow", takesToken: true);
        return (peer, [.. Enumerable.Range(0, 3).Select(_ => peer.Call(s_own, [1, 2, 3]))]);
    }

    private static void Receive(ScriptedPeer peer, byte[] stream, Random random)
    {
        for (int at = 0; at < stream.Length;)
        {
            int count = Math.Min(random.Next(3) == 0 ? 1 : random.Next(1, 100), stream.Length - at);
            peer.Send(stream.AsSpan(at, count));
            at += count;
        }
    }

    /// <summary>A handshake, and then anything.</summary>
    private static byte[] Noise(Random random)
    {
        var noise = new byte[random.Next(500)];
        random.NextBytes(noise);
        return [.. Raw.Hello(1, 1), .. noise];
    }
}
