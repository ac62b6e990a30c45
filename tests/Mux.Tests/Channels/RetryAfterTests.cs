using System.Buffers.Binary;
using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;
using Mux.TestSupport.Connections;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;
using Mux.Transports;

namespace Mux.Tests.Channels;

/// <summary>Channels whose server says when to come back.</summary>
public sealed class RetryAfterTests : EndToEndTests, IDisposable
{
    private static readonly TimeSpan s_moment = TimeSpan.FromMilliseconds(1);
    private static readonly TimeSpan s_spread = TimeSpan.FromMilliseconds(110); // of many clients, and until the next tick

    private static readonly byte[] s_hello = [.. Preface.Bytes, .. ScriptedPeer.Hello(new PeerSettings())];

    private readonly ManualTime _time = new();
    private ITransportListener? _listener;

    public void Dispose() => _listener?.Dispose();

    [Theory(Timeout = TestLimit)]
    [InlineData(nameof(ConnectionCode.ExcessiveLoad), 5_000, 5_000)]
    [InlineData(nameof(ConnectionCode.Draining), 5_000, 5_000)]
    [InlineData(nameof(ConnectionCode.ExcessiveLoad), uint.MaxValue, 30_000)]
    public async Task A_channel_dials_no_earlier_than_its_server_has_said(string code, uint milliseconds, int waitMilliseconds)
    {
        var (scene, channel) = await CreateAsync(Enum.Parse<ConnectionCode>(code), milliseconds);
        using var cancellation = new CancellationTokenSource();

        var call = channel.CreateProxy<IDesk>().Ask(new Question(), cancellation.Token).AsTask();
        _time.Advance(TimeSpan.FromMilliseconds(waitMilliseconds) - s_moment);
        Assert.True(IsPausing(channel));
        Assert.False(call.IsCompleted);
        await cancellation.CancelAsync(); // it waited as in any pause
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call);
        _time.Advance(s_moment + s_spread);

        Assert.False(IsPausing(channel));
        Assert.Equal(2, scene.Transport.Dialed.Count);
    }

    [Fact(Timeout = TestLimit)]
    public async Task What_a_server_has_said_also_holds_for_a_dial_whose_pause_has_begun()
    {
        var scene = Begin(TransportKind.InMemory, _time);
        scene.ExpectedEnds.UnionWith([CloseReason.PeerError, CloseReason.ConnectionLost, CloseReason.Disposed, CloseReason.ConnectFailed]); // the last where the test ends amid the last dial
        var first = new TaskCompletionSource<Link>(TaskCreationOptions.RunContinuationsAsynchronously);
        using var listener = scene.Transport.Listen(scene.FreeAddress(), link => link.Start(first.TrySetResult(link) ? new SpeakingServer(link, s_hello, closes: false) : new SpeakingServer(link, s_hello, closes: true)));
        var channel = scene.CreateChannel(listener.Address, options => options.MinConnections = 2);
        var sut = channel.CreateProxy<IDesk>();
        List<Task<Answer>> calls = [sut.AskPlainly(new Question()).AsTask()];
        await scene.Logs.ReachAsync("ClientConnectionOpened"); // then the channel knows, and may dial
        await Eventually.Holds(() => Array.Exists(channel.Ledger.Connections, connection => connection.Initiator.OpenCount == 1), "the first request"); // on its way from the queue a call is not counted for a moment
        calls.Add(sut.AskPlainly(new Question()).AsTask()); // dials the other one, which ends at once
        await scene.Logs.ReachAsync("ClientConnectionClosed");
        calls.Add(sut.AskPlainly(new Question()).AsTask());
        Assert.True(IsPausing(channel));

        (await first.Task).Send(GoAway(ConnectionCode.ExcessiveLoad, 5_000));
        foreach (var call in calls) await Assert.ThrowsAsync<MuxException>(() => call.Within("the failure of a call"));
        _time.Advance(TimeSpan.FromSeconds(5) - s_moment);
        Assert.True(IsPausing(channel));
        _time.Advance(s_moment + s_spread);
        Assert.False(IsPausing(channel));
    }

    /// <summary>A channel to which the server has said it.</summary>
    private async Task<(Scene Scene, MuxChannel Channel)> CreateAsync(ConnectionCode code, uint milliseconds)
    {
        var scene = Begin(TransportKind.InMemory, _time);
        scene.ExpectedEnds.UnionWith([CloseReason.PeerError, CloseReason.PeerDrained, CloseReason.ConnectionLost, CloseReason.Disposed, CloseReason.ConnectFailed]);
        byte[] words = [.. s_hello, .. GoAway(code, milliseconds)];
        _listener = scene.Transport.Listen(scene.FreeAddress(), link => link.Start(new SpeakingServer(link, words, closes: true)));
        var channel = scene.CreateChannel(_listener.Address);
        await channel.ConnectAsync(TestContext.Current.CancellationToken).Within("the first connection");
        await scene.Logs.ReachAsync("ClientConnectionClosed");
        return (scene, channel);
    }

    private static byte[] GoAway(ConnectionCode code, uint milliseconds)
    {
        byte[] payload = [(byte)code, 0, 0, 0, 0, 0];
        BinaryPrimitives.WriteUInt32LittleEndian(payload.AsSpan(2), milliseconds);
        return ScriptedPeer.Frame(FrameKind.GoAway, default, payload);
    }

    private static bool IsPausing(MuxChannel channel) => Array.Exists(channel.Ledger.Connections, connection => connection is { State: ConnectionState.Connecting, NextDue: Clock.Never });
}
