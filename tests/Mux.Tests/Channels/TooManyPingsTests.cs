using Mux.Engine;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;

namespace Mux.Tests.Channels;

/// <summary>A channel whose server finds that it asks too often whether it lives.</summary>
public sealed class TooManyPingsTests : EndToEndTests
{
    private static readonly TimeSpan s_keepAlive = TimeSpan.FromMilliseconds(400);
    private static readonly TimeSpan s_step = TimeSpan.FromMilliseconds(10);
    private static readonly TimeSpan s_stride = TimeSpan.FromMilliseconds(100); // where nothing is measured
    private static readonly TimeSpan s_noLimit = TimeSpan.FromMinutes(10); // time runs far ahead of a busy machine

    private readonly ManualTime _time = new();

    [Fact(Timeout = TestLimit)]
    public async Task A_channel_that_is_cut_off_for_its_pings_by_a_server_that_announces_no_interval_asks_half_as_often_on_each_next_connection_until_the_server_lets_it_pass()
    {
        const int Cuts = 2; // 0.4 s, 0.8 s; the server lets 1 s pass
        const int Strikes = 2;
        var scene = Begin(TransportKind.InMemory, _time);
        scene.ExpectedEnds.UnionWith([CloseReason.TooManyPings, CloseReason.PeerError]);
        var answer = new Signal("the end of the handlers");
        var desk = Desk.AnsweringAfter(answer);
        var server = scene.StartServer(server => server.AddService<IDesk>(desk), options => (options.Limits.PingInterval, options.Limits.PingStrikes, options.HandshakeTimeout) = (TimeSpan.FromSeconds(10), Strikes, s_noLimit));
        var channel = scene.CreateChannel(server, options =>
        {
            (options.KeepAliveTime, options.KeepAliveTimeout, options.HandshakeTimeout) = (s_keepAlive, s_noLimit, s_noLimit);
            options.Transport = new OlderServerTransport(scene.Transport);
        });
        var sut = channel.CreateProxy<IDesk>();

        for (int cuts = 0; cuts < Cuts; cuts++)
        {
            var call = sut.AskPlainly(new Question()).AsTask();
            await RunsAsync(desk, scene, cuts + 1);
            await AssertAsksEveryAsync(s_keepAlive * (1 << cuts), channel);
            await Eventually.Holds(() => Elapses(call), "the end of the connection"); // by the PINGs that follow
            await call.FailsAsync(MuxStatus.Unavailable, MuxExecution.MayHaveExecuted, MuxCallPhase.Wait);
            Assert.Contains("TooManyPings", (await scene.Logs.ReachAsync("ClientConnectionClosed", cuts + 1))[cuts].Text, StringComparison.Ordinal);
        }

        var last = sut.AskPlainly(new Question { Id = 7 }).AsTask();
        await RunsAsync(desk, scene, Cuts + 1);
        for (int i = 0; i < 2 * Strikes; i++) await AssertAsksEveryAsync(s_keepAlive * (1 << Cuts), channel);
        answer.Set();
        Assert.Equal(7, (await last.Within("the reply")).Id);
        Assert.Equal(Cuts + 1, scene.Transport.Dialed.Count);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_channel_asks_no_more_often_than_its_server_has_announced_and_is_not_cut_off()
    {
        var scene = Begin(TransportKind.InMemory, _time);
        var answer = new Signal("the end of the handler");
        var desk = Desk.AnsweringAfter(answer);
        var server = scene.StartServer(server => server.AddService<IDesk>(desk), options => (options.Limits.PingInterval, options.Limits.PingStrikes, options.HandshakeTimeout) = (TimeSpan.FromSeconds(10), 2, s_noLimit));
        var channel = scene.CreateChannel(server, options => (options.KeepAliveTime, options.KeepAliveTimeout, options.HandshakeTimeout) = (s_keepAlive, s_noLimit, s_noLimit));

        var call = channel.CreateProxy<IDesk>().AskPlainly(new Question { Id = 7 }).AsTask();
        await RunsAsync(desk, scene, 1);
        for (int i = 0; i < 4; i++) await AssertAsksEveryAsync(TimeSpan.FromSeconds(1), channel); // a tenth, because the server knows its keep-alive time
        answer.Set();

        Assert.Equal(7, (await call.Within("the reply")).Id);
        Assert.Equal(1, scene.Transport.Dialed.Count);
    }

    /// <summary>Behind the pause after a loss, for which time has to go on; but not on a connection, which would ask meanwhile.</summary>
    private async Task RunsAsync(Desk desk, Scene scene, int calls)
    {
        await Eventually.Holds(
            () =>
            {
                if (scene.Transport.Accepted.Count < calls) _time.Advance(s_stride);
                return scene.Transport.Accepted.Count == calls;
            },
            $"connection {calls}");
        await desk.Started.ReachAsync(calls);
    }

    private bool Elapses(Task call)
    {
        if (!call.IsCompleted) _time.Advance(s_stride);
        return call.IsCompleted;
    }

    private async Task AssertAsksEveryAsync(TimeSpan interval, MuxChannel channel)
    {
        await AskedAfterAsync(channel); // from its answer on there is silence
        Assert.InRange(await AskedAfterAsync(channel), interval, interval + (2 * s_step));
    }

    /// <summary>Moves the time until the channel asks, and waits for the answer.</summary>
    private async Task<TimeSpan> AskedAfterAsync(MuxChannel channel)
    {
        var (sent, answered) = (channel.GetStatistics().BytesSent, channel.GetStatistics().FramesReceived);
        var elapsed = TimeSpan.Zero;
        for (; channel.GetStatistics().BytesSent == sent && elapsed < TimeSpan.FromMinutes(1); elapsed += s_step) _time.Advance(s_step); // it asks on this thread
        await Eventually.Holds(() => channel.GetStatistics().FramesReceived > answered, () => $"the answer to a PING after {elapsed}");
        return elapsed;
    }
}
