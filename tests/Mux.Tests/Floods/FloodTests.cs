using System.Net;
using System.Net.Sockets;
using Microsoft.Extensions.Logging.Abstractions;
using Mux.Sessions.Lifecycle;
using Mux.TestSupport.EndToEnd;
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
    public async Task Handlers_of_all_connections_are_limited_together_and_more_calls_are_refused_not_executed(TransportKind kind)
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

        foreach (var sut in suts)
        {
            var refused = await sut.AskPlainly(new Question()).FailsAsync(MuxStatus.ResourceExhausted, MuxExecution.NotExecuted, MuxCallPhase.Dispatch);
            Assert.True(refused.RetryAfter > TimeSpan.Zero);
        }

        Assert.Single(await scene.Logs.ReachAsync("ServerCallsRefused"));
        Assert.Equal(3, scene.Meters.Read().Where(reading => reading.Instrument == "mux.server.refused_calls").Sum(reading => reading.Value));

        desk.AnswerOldest();
        desk.AnswerOldest();
        Assert.Equal(0, (await calls[0]).Id);
        while (!await TryAskAsync(desk, suts[1])) Assert.Equal(15, desk.MostAtATime); // the place is found at the next count
        for (int i = 0; i < 14; i++) desk.AnswerOldest();
        await Task.WhenAll(calls);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Connections_that_take_all_handlers_lock_no_newcomer_out_and_no_probe()
    {
        var scene = Begin(TransportKind.Tcp);
        var desk = new Desk();
        var end = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        desk.OnAsk = async (question, _) =>
        {
            if (question.Id == 0) await end.Task;
            return new Answer { Id = question.Id };
        };
        var server = scene.StartServer(server => server.AddService<IDesk>(desk));
        var held = new List<Task>();
        for (int i = 0; i < 60; i++) await TakeAllAsync(scene.CreateChannel(server).CreateProxy<IDesk>());

        int served = 0;
        for (int i = 1; i <= 50; i++)
        {
            var channel = scene.CreateChannel(server);
            if ((await channel.CreateProxy<IDesk>().AskPlainly(new Question { Id = i })).Id == i) served++;
            var probe = channel.CreateRawCaller("grpc.health.v1.Health", "Check");
            var calls = new List<Task<byte[]>>();
            for (int k = 0; k < 20; k++) calls.Add(probe.CallAsync(ReadOnlyMemory<byte>.Empty, cancellationToken: TestContext.Current.CancellationToken).AsTask());
            await Task.WhenAll(calls);
            await channel.CreateRawCaller("mux.ping", "Ping").CallAsync(ReadOnlyMemory<byte>.Empty, cancellationToken: TestContext.Current.CancellationToken).FailsAsync(MuxStatus.Unimplemented, MuxExecution.NotExecuted, MuxCallPhase.Dispatch);
            await channel.DisposeAsync();
        }

        TestContext.Current.SendDiagnosticMessage($"{held.Count} calls of 60 connections are held; {served} of 50 newcomers were served.");
        Assert.Equal(50, served);
        Assert.InRange(held.Count, 9_000, 10_000);
        end.SetResult();
        await Task.WhenAll(held).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing | ConfigureAwaitOptions.ContinueOnCapturedContext);

        async Task TakeAllAsync(IDesk hog)
        {
            for (int portion = 0; portion < 40; portion++) // one connection has 4,096 calls at most
            {
                var calls = Enumerable.Range(0, 100).Select(_ => hog.AskPlainly(new Question()).AsTask()).ToList();
                var last = hog.AskPlainly(new Question { Id = 1 }).AsTask(); // behind them
                await Task.WhenAny(last);
                held.AddRange(calls.Where(call => !call.IsCompleted));
                foreach (var call in calls.Append(last)) _ = call.Exception; // those that were refused
                if (calls.Any(call => call.Exception is not null)) return;
            }
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

    private static async Task<bool> TryAskAsync(GatedDesk desk, IDesk sut)
    {
        long started = desk.Started.Count;
        var call = sut.AskPlainly(new Question()).AsTask();
        await Eventually.Holds(() => desk.Started.Count > started || call.IsCompleted, "the start or the refusal of a call");
        if (desk.Started.Count > started) return true;
        await call.FailsAsync(MuxStatus.ResourceExhausted, MuxExecution.NotExecuted, MuxCallPhase.Dispatch);
        return false;
    }
}
