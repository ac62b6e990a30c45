using System.Net;
using System.Net.Sockets;
using Mux.Engine;
using Mux.Protocol;
using Mux.TestSupport.Connections;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Tests.Peers;
using Mux.Transports.Epoll;

namespace Mux.Tests.Groups;

/// <summary>Members that do not do what members do.</summary>
public sealed class MissedCallTests : EndToEndTests
{
    /// <summary>Has a place for every call of a test: an answer that was sent frees one only when the server has read it.</summary>
    private static readonly PeerSettings Roomy = new() { MaxCalls = Audience.Plenty };

    private readonly MuxGroup<IHeard> _sut = new(new MuxGroupOptions { MaxQueuedBytes = 0 }); // what has no room at once is missed

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_member_that_answers_nothing_misses_calls_and_no_other_does(TransportKind kind)
    {
        const int Most = 8, Calls = 100;
        var scene = Begin(kind);
        scene.ExpectedEnds.Add(CloseReason.ConnectionLost);
        var audience = await Audience.GatherAsync(scene, 10);
        var silent = await ConnectAsync(scene, audience, static (_, _) => { }, new PeerSettings { MaxCalls = Most });
        foreach (var peer in audience.Server.Peers) Assert.True(_sut.Add(peer));
        for (int number = 0; number < Calls; number++) await _sut.All.Say(number);
        foreach (var (_, listener, _) in audience.Seats)
        {
            await listener.Heard.ReachAsync(Calls);
            Assert.Equal(Enumerable.Range(0, Calls), listener.Numbers);
        }

        await silent.Arrived.ReachAsync(Most);
        Assert.Equal(((Calls * 10) + Most, Calls - Most), (_sut.GetStatistics().Delivered, _sut.GetStatistics().Missed));
        silent.Dispose();
        await Eventually.Holds(() => _sut.Count == 10, "the member to leave");
        Assert.Equal(Most, silent.Arrived.Count);
    }

    [Theory(Timeout = TestLimit)]
    [InlineData(TransportKind.Tcp)]
    [InlineData(TransportKind.Streams)]
    [InlineData(TransportKind.Epoll)]
    public async Task A_member_that_reads_nothing_misses_calls_and_no_other_does(TransportKind kind)
    {
        const int Calls = 400, Size = 10_000, Members = 10;
        if (kind == TransportKind.Epoll) Assert.SkipUnless(EpollTransport.IsSupported, "Linux alone has it.");
        var scene = Begin(kind);
        scene.ExpectedEnds.Add(CloseReason.ConnectionLost);
        var audience = await Audience.GatherAsync(scene, Members, configureServer: options => options.MaxUnsentBytes = 256 * 1024);
        using var stuck = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { ReceiveBufferSize = 4_096 };
        await stuck.ConnectAsync(IPAddress.Loopback, audience.Server.Address.Port, TestContext.Current.CancellationToken);
        await stuck.SendAsync((byte[])[.. Preface.Bytes, .. ScriptedPeer.Hello(new PeerSettings { MaxCalls = Audience.Plenty })], TestContext.Current.CancellationToken);
        await Eventually.Holds(() => audience.Server.Peers.Count == Members + 1, "the server to know its clients");
        foreach (var peer in audience.Server.Peers) _sut.Add(peer);
        for (int number = 0; number < Calls || _sut.GetStatistics().Missed == 0; number++)
        {
            await _sut.All.Show(number, new byte[Size]);
            if (number % 10 != 9) continue;
            foreach (var (_, listener, _) in audience.Seats) await listener.Heard.ReachAsync(number + 1); // they read, and yet could not keep up with a loop
        }

        var (calls, delivered, missed, _, _, _, _) = _sut.GetStatistics();
        foreach (var (_, listener, _) in audience.Seats)
        {
            await listener.Heard.ReachAsync(calls);
            Assert.Equal(Enumerable.Range(0, (int)calls), listener.Numbers);
        }

        Assert.Equal(calls * (Members + 1), delivered + missed);
        stuck.Dispose();
        await Eventually.Holds(() => _sut.Count == Members, "the member to leave");
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Refusals_and_answers_with_a_body_reach_nobody(TransportKind kind)
    {
        var scene = Begin(kind);
        scene.ExpectedEnds.Add(CloseReason.ConnectionLost);
        var audience = await Audience.GatherAsync(scene, 1);
        var refusing = await ConnectAsync(scene, audience, static (client, id) => client.Send(ScriptedPeer.Frame(FrameKind.Fail, id, [(byte)MuxStatus.Unimplemented, 0, 0, 0, 0, 0, 0, 0])), Roomy);
        var chatty = await ConnectAsync(scene, audience, static (client, id) => client.Respond(id, 1, 2, 3, 4), Roomy);
        foreach (var peer in audience.Server.Peers) Assert.True(_sut.Add(peer));
        for (int number = 0; number < 50; number++)
        {
            await _sut.All.Say(number);
            foreach (var client in (RawClient[])[refusing, chatty]) await client.Arrived.ReachAsync(number + 1);
        }

        await audience.Seats[0].Listener.Heard.ReachAsync(50);
        Assert.Equal((150, 0), (_sut.GetStatistics().Delivered, _sut.GetStatistics().Missed));
        Assert.Equal(3, _sut.Count);
        foreach (var client in (RawClient[])[refusing, chatty]) client.Dispose();
        await Eventually.Holds(() => _sut.Count == 1, "the members to leave");
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_member_that_answers_twice_is_cut_off_and_leaves(TransportKind kind)
    {
        var scene = Begin(kind);
        scene.ExpectedEnds.Add(CloseReason.ProtocolError);
        var audience = await Audience.GatherAsync(scene, 1);
        var liar = await ConnectAsync(scene, audience, static (client, id) =>
        {
            client.Respond(id);
            client.Respond(id);
        });
        foreach (var peer in audience.Server.Peers) Assert.True(_sut.Add(peer));
        await _sut.All.Say(1);
        await liar.Ended.WaitAsync();
        await Eventually.Holds(() => _sut.Count == 1, "the member to leave");
        await _sut.All.Say(2);
        await audience.Seats[0].Listener.Heard.ReachAsync(2);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_member_that_serves_nothing_misses_everything(TransportKind kind)
    {
        var scene = Begin(kind);
        var audience = await Audience.GatherAsync(scene, 1);
        var deaf = scene.CreateChannel(audience.Server);
        await deaf.CreateProxy<IBounce>().Bounce(0, cancellationToken: TestContext.Current.CancellationToken);
        Assert.True(_sut.Add(audience.AtServer.LastCaller!));
        await _sut.All.Say(1);
        Assert.Equal((0, 1), (_sut.GetStatistics().Delivered, _sut.GetStatistics().Missed));
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_hundred_members_that_vanish_at_once_leave_nothing(TransportKind kind) => await VanishAsync(kind, 100);

    [Fact(Timeout = TestLimit)]
    public async Task A_thousand_members_that_vanish_at_once_leave_nothing() => await VanishAsync(TransportKind.InMemory, 1_000);

    private async Task VanishAsync(TransportKind kind, int clients)
    {
        var scene = Begin(kind);
        scene.ExpectedEnds.Add(CloseReason.ConnectionLost);
        var audience = await Audience.GatherAsync(scene, 1);
        var vanishing = Enumerable.Range(0, clients).Select(_ => new RawClient(scene, audience.Server.Address, static (client, id) => client.Respond(id))).ToList();
        await Eventually.Holds(() => audience.Server.Peers.Count == clients + 1, () => $"{clients + 1} clients; there are {audience.Server.Peers.Count}");
        foreach (var peer in audience.Server.Peers) Assert.True(_sut.Add(peer));
        await _sut.All.Say(0);
        await vanishing[^1].Arrived.ReachAsync(1);
        using var stop = new CancellationTokenSource();
        var calls = Task.Run(
            async () =>
            {
                for (int number = 1; !stop.IsCancellationRequested; number++)
                {
                    await _sut.All.Say(number);
                    await audience.Seats[0].Listener.Heard.ReachAsync(number + 1);
                }
            },
            TestContext.Current.CancellationToken);
        foreach (var client in vanishing) client.Dispose();
        await Eventually.Holds(() => _sut.Count == 1, () => $"the members to leave; there are {_sut.Count}");
        await stop.CancelAsync();
        await calls.Within("the last call");
        Assert.Equal(Enumerable.Range(0, audience.Seats[0].Listener.Numbers.Length), audience.Seats[0].Listener.Numbers);
    }

    private static async Task<RawClient> ConnectAsync(Scene scene, Audience audience, Action<RawClient, CallId> answer, PeerSettings? settings = null)
    {
        int before = audience.Server.Peers.Count;
        var client = new RawClient(scene, audience.Server.Address, answer, settings);
        await Eventually.Holds(() => audience.Server.Peers.Count == before + 1, "the server to know its client");
        return client;
    }
}
