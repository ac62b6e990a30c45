using System.Net;
using System.Net.Sockets;
using Microsoft.Extensions.Logging.Abstractions;
using Mux.Engine;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;
using Mux.Tests.Channels;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;
using Mux.Transports.Sockets;

namespace Mux.Tests.Floods;

/// <summary>Hostile peers and a client that plays by the rules, at one server that was told nothing: they are cut off, and it loses no call.</summary>
public sealed class FloodTests : EndToEndTests
{
    private static readonly TransportKind[] s_kinds = [.. EveryTransport.Kinds.Where(kind => kind is TransportKind.Tcp or TransportKind.Epoll or TransportKind.Streams)];

    public static TheoryData<TransportKind, string> Floods => [.. from kind in s_kinds from flood in Attacker.Floods.Keys select new TheoryDataRow<TransportKind, string>(kind, flood)];

    public static TheoryData<TransportKind> Kinds => [.. s_kinds];

    [Theory(Timeout = TestLimit), MemberData(nameof(Floods))]
    public async Task A_flood_ends_its_own_connection_and_no_call_of_the_client_beside_it(TransportKind kind, string flood)
    {
        var scene = Begin(kind);
        scene.ExpectedEnds.UnionWith([CloseReason.ExcessiveLoad, CloseReason.TooManyPings]);
        var end = new Signal("the end of the attacker's handlers");
        var desk = new Desk();
        desk.OnAsk = async (question, _) =>
        {
            if (question.Id == 0) await end.WaitAsync();
            return new Answer { Id = question.Id };
        };
        var server = scene.StartServer(server => server.AddService<IDesk>(desk), options => options.Limits.PrematureCancels = 2_000); // fewer than there are slots: the attacker uses each once
        var sut = scene.CreateChannel(server).CreateProxy<IDesk>();
        using var attacker = new Attacker(server.Address, flood);

        var attack = Task.Factory.StartNew(attacker.RunUntilCut, TaskCreationOptions.LongRunning);
        int calls = 0;
        while (!attack.IsCompleted || calls < 100) Assert.Equal(++calls, (await sut.AskPlainly(new Question { Id = calls })).Id);

        end.Set();
        Assert.True(await attack, $"{attacker.Sent} frames were taken.");
        Assert.Contains($"by the limit {Attacker.Floods[flood]}: ", Assert.Single(await scene.Logs.ReachAsync("ServerPeerCutOff")).Text, StringComparison.Ordinal);
        Assert.Equal(1, scene.Meters.Read().Where(reading => reading.Instrument == "mux.server.cut_off_connections").Sum(reading => reading.Value));
        Assert.InRange(server.GetStatistics().BytesUnsent, 0, 64 * 1024);
    }

    [Theory(Timeout = TestLimit), MemberData(nameof(Kinds))]
    public async Task A_burst_of_small_slow_calls_above_the_limit_of_handlers_waits_for_them(TransportKind kind)
    {
        const int Calls = 5_000, Handlers = 100;
        var scene = Begin(kind);
        var desk = new GatedDesk();
        var server = scene.StartServer(server => server.AddService<IDesk>(desk), options => options.Limits.MaxHandlers = Handlers);
        var sut = scene.CreateChannel(server).CreateProxy<IDesk>();
        var calls = Enumerable.Range(1, Calls).Select(i => sut.AskPlainly(new Question { Id = i }).AsTask()).ToList();
        for (int answered = 0; answered < Calls; answered++)
        {
            await desk.Started.ReachAsync(answered + 1);
            desk.AnswerOldest();
        }

        Assert.Equal(Enumerable.Range(1, Calls), (await Task.WhenAll(calls)).Select(answer => answer.Id));
        Assert.InRange(desk.MostAtATime, 10, Handlers);
    }

    [Theory(Timeout = TestLimit), MemberData(nameof(Kinds))]
    public async Task Handlers_of_all_connections_are_limited_together_and_more_calls_wait(TransportKind kind)
    {
        var scene = Begin(kind);
        var desk = new GatedDesk();
        var server = scene.StartServer(server => server.AddService<IDesk>(desk), options => options.Limits.MaxHandlers = 20);
        var suts = Enumerable.Range(0, 3).Select(_ => scene.CreateChannel(server).CreateProxy<IDesk>()).ToList();
        var calls = new List<Task<Answer>>();
        for (int i = 0; i < 15; i++) // each connection leaves as many for others as it has: five of twenty
        {
            calls.Add(suts[i % 3].AskPlainly(new Question { Id = i }).AsTask());
            await desk.Started.ReachAsync(i + 1);
        }

        var waiting = suts.Select(sut => sut.AskPlainly(new Question { Id = 15 }).AsTask()).ToList();
        for (int answered = 0; answered < 18; answered++)
        {
            await desk.Started.ReachAsync(answered + 1);
            desk.AnswerOldest();
        }

        Assert.Equal(Enumerable.Range(0, 15), (await Task.WhenAll(calls)).Select(answer => answer.Id));
        Assert.All(await Task.WhenAll(waiting), answer => Assert.Equal(15, answer.Id));
        Assert.InRange(desk.MostAtATime, 15, 17); // with places of the part for connections with few
        Assert.Equal(0, scene.Meters.Read().Where(reading => reading.Instrument == "mux.server.refused_calls").Sum(reading => reading.Value));
    }

    [Fact(Timeout = TestLimit)]
    public async Task Connections_that_take_all_handlers_and_have_thousands_of_requests_wait_lock_no_newcomer_out_and_no_probe()
    {
        const int Hogs = 60, Requests = 1_000;
        var time = new ManualTime(); // those that wait are refused after half a minute without a place
        var scene = Begin(TransportKind.Tcp, time);
        var desk = new Desk();
        var end = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        int running = 0;
        desk.OnAsk = async (question, _) =>
        {
            if (question.Id != 0) return new Answer { Id = question.Id };
            Interlocked.Increment(ref running);
            await end.Task;
            return new Answer();
        };
        var server = scene.StartServer(server => server.AddService<IDesk>(desk));
        var held = new List<Task>();
        for (int i = 0; i < Hogs; i++)
        {
            var hog = scene.CreateChannel(server).CreateProxy<IDesk>();
            held.AddRange(Enumerable.Range(0, Requests).Select(_ => hog.AskPlainly(new Question()).AsTask()));
            await Eventually.Holds(
                () => Volatile.Read(ref running) + server.GetStatistics().CallsParked == held.Count, "requests that run, and others that wait");
            time.Advance(TimeSpan.FromMilliseconds(10)); // unused places are counted again
        }

        int kept = running;
        Assert.InRange(kept, 9_000, 10_000);
        for (int i = 1; i <= 50; i++)
        {
            var channel = scene.CreateChannel(server);
            Assert.Equal(i, (await channel.CreateProxy<IDesk>().AskPlainly(new Question { Id = i })).Id);
            var probe = channel.CreateRawCaller("grpc.health.v1.Health", "Check");
            var token = TestContext.Current.CancellationToken;
            var probes = Enumerable.Range(0, 20).Select(_ => probe.CallAsync(ReadOnlyMemory<byte>.Empty, cancellationToken: token).AsTask());
            await Task.WhenAll(probes);
            await channel.CreateRawCaller("mux.ping", "Ping").CallAsync(ReadOnlyMemory<byte>.Empty, cancellationToken: token)
                .FailsAsync(MuxStatus.Unimplemented, MuxExecution.NotExecuted, MuxCallPhase.Dispatch);
            await channel.DisposeAsync();
        }

        // All 50 were served while none of the places became free.
        Assert.Equal((kept, held.Count - kept), (running, server.GetStatistics().CallsParked));
        end.SetResult();
        var all = Task.WhenAll(held);
        await Eventually.Holds(() => Step(all.IsCompleted), "the requests that have waited");
        await all;
        Assert.Equal((held.Count, 0), (running, server.GetStatistics().CallsParked));

        bool Step(bool isDone)
        {
            if (!isDone) time.Advance(TimeSpan.FromMilliseconds(10));
            return isDone;
        }
    }

    [Fact(Timeout = TestLimit)]
    public async Task Of_readers_that_stall_the_first_is_ended_when_the_server_holds_too_much_and_others_are_kept()
    {
        const int Stalled = 6;
        var scene = Begin(TransportKind.Tcp);
        scene.ExpectedEnds.UnionWith([CloseReason.SlowPeer, CloseReason.ConnectionLost, CloseReason.Disposed]);
        var reply = new byte[16_000];
        var desk = new Desk { OnAsk = (question, _) => new(new Answer { Id = question.Id, Bytes = question.Text is null ? null : reply }) };
        var server = scene.StartServer(server => server.AddService<IDesk>(desk), options =>
        {
            options.MaxUnsentBytes = 400 * 1024;
            options.Limits.MaxUnsentBytes = 1024 * 1024;
        });
        var sut = scene.CreateChannel(server).CreateProxy<IDesk>();
        var clients = new List<Socket>();
        for (int i = 0; i < Stalled; i++)
        {
            clients.Add(StallingReader.Connect(server.Address, requests: 500));
            Assert.Equal(i, (await sut.AskPlainly(new Question { Id = i })).Id);
        }

        var ended = await scene.Logs.ReachAsync("ServerPeerCutOff");
        Assert.Contains("by the limit UnsentOfServer: ", ended[0].Text, StringComparison.Ordinal);
        await Eventually.Holds(() => server.GetStatistics().BytesUnsent <= 1024 * 1024, "what may be unsent");
        Assert.Equal(7, (await sut.AskPlainly(new Question { Id = 7 })).Id);
        Assert.InRange(server.GetStatistics().OpenConnections, 2, Stalled); // the client, and some that stall
        foreach (var client in clients) client.Dispose();
    }

    [Theory(Timeout = TestLimit), MemberData(nameof(Kinds))]
    public async Task Peers_that_connect_and_say_nothing_take_no_place_of_those_that_are_there_and_of_others_when_they_are_gone(TransportKind kind)
    {
        var scene = Begin(kind);
        scene.ExpectedEnds.UnionWith([CloseReason.ConnectionLost, CloseReason.Disposed]);
        var server = scene.StartServer(server => server.AddService<IDesk>(new Desk()), options => options.Limits.MaxPendingHandshakesPerAddress = 20);
        var sut = scene.CreateChannel(server).CreateProxy<IDesk>();
        Assert.Equal(1, (await sut.AskPlainly(new Question { Id = 1 })).Id);

        var silent = Enumerable.Range(0, 50).Select(_ => ConnectTo(server.Address)).ToList();
        Assert.Contains("MaxPendingHandshakesPerAddress is 20", (await scene.Logs.ReachAsync("ServerConnectionRefused"))[0].Text, StringComparison.Ordinal);
        await Eventually.Holds(() => RejectedOf(scene) == 30, "the refusal of 30 connections");
        Assert.Equal(2, (await sut.AskPlainly(new Question { Id = 2 })).Id);

        foreach (var socket in silent) socket.Dispose();
        var channel = scene.CreateChannel(server);
        while (!await ConnectsAsync(channel)) Assert.True(RejectedOf(scene) >= 30, "Who is refused is counted.");
        Assert.Equal(3, (await channel.CreateProxy<IDesk>().AskPlainly(new Question { Id = 3 })).Id);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Silent_peers_of_four_addresses_that_come_again_and_again_keep_a_client_of_another_address_out_at_no_time()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Only Linux has all of 127.0.0.0/8 without being told.");
        var scene = Begin(TransportKind.Epoll);
        scene.ExpectedEnds.UnionWith([CloseReason.HandshakeTimeout, CloseReason.ConnectionLost, CloseReason.Disposed]);
        var server = scene.StartServer(server => server.AddService<IDesk>(new Desk()));
        var silent = Enumerable.Range(0, 256).Select(i => ConnectTo(server.Address, from: $"127.0.1.{1 + (i % 4)}")).ToList();
        await scene.Transport.Accepted.ReachAsync(256);

        for (int round = 1; round <= 20; round++)
        {
            var channel = scene.CreateChannel(server);
            await channel.ConnectAsync(TestContext.Current.CancellationToken);
            Assert.Equal(round, (await channel.CreateProxy<IDesk>().AskPlainly(new Question { Id = round })).Id);
            for (int i = 0; i < 4; i++) silent.Add(ConnectTo(server.Address, from: $"127.0.1.{1 + i}"));
        }

        foreach (var socket in silent) socket.Dispose();
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_server_with_256_files_lives_through_2000_connects_and_takes_clients_again_when_they_are_gone()
    {
        await using var process = await ServerProcess.StartAsync(MuxAddress.Parse("mux://127.0.0.1:0"), maxCalls: 100, openFiles: 256);
        await using var channel = MuxChannel.Create(new MuxChannelOptions { Address = process.Address.ToString(), Transport = new SocketTransport(new SocketTransportOptions(), NullLogger.Instance, TimeProvider.System) });
        var sut = channel.CreateProxy<IDesk>();
        Assert.Equal(1, (await sut.AskPlainly(new Question { Id = 1 })).Id);

        var crowd = new List<Socket>();
        for (int i = 0; i < 2_000; i++)
        {
            crowd.Add(ConnectTo(process.Address));
            if (i % 100 == 0) Assert.Equal(i, (await sut.AskPlainly(new Question { Id = i })).Id);
        }

        Assert.False(process.HasEnded);
        foreach (var socket in crowd) socket.Dispose();
        await using var second = MuxChannel.Create(new MuxChannelOptions { Address = process.Address.ToString(), Transport = new SocketTransport(new SocketTransportOptions(), NullLogger.Instance, TimeProvider.System) });
        while (!await ConnectsAsync(second)) Assert.False(process.HasEnded);
        Assert.Equal(3, (await second.CreateProxy<IDesk>().AskPlainly(new Question { Id = 3 })).Id);
    }

    private static Socket ConnectTo(MuxAddress address, string? from = null)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        if (from is not null) socket.Bind(new IPEndPoint(IPAddress.Parse(from), 0));
        socket.Connect(IPAddress.Parse(address.Host), address.Port);
        return socket;
    }

    private static long RejectedOf(Scene scene) => scene.Meters.Read().Where(reading => reading.Instrument == "mux.server.rejected_connections").Sum(reading => reading.Value);

    private static async Task<bool> ConnectsAsync(MuxChannel channel)
    {
        try
        {
            await channel.ConnectAsync(TestContext.Current.CancellationToken);
            return true;
        }
        catch (MuxException)
        {
            return false;
        }
    }
}
