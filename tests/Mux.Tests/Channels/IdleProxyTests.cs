using Mux.Engine;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;

namespace Mux.Tests.Channels;

/// <summary>A proxy or load balancer on the way that cuts connections through which nothing goes.</summary>
public sealed class IdleProxyTests : EndToEndTests
{
    private static readonly TimeSpan s_idleLimit = TimeSpan.FromSeconds(3);
    private static readonly TimeSpan s_keepAlive = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_tick = TimeSpan.FromMilliseconds(20);

    [Theory(Timeout = TestLimit)]
    [InlineData(TransportKind.Tcp)]
    [InlineData(TransportKind.Epoll)]
    public async Task Keep_alive_below_the_limit_of_a_proxy_keeps_a_connection_on_which_a_call_waits(TransportKind kind)
    {
        Assert.SkipUnless(EveryTransport.Kinds.Contains(kind), "The operating system does not have it.");
        const int Limits = 10;
        var time = new ManualTime();
        var scene = Begin(kind, time);
        var answer = new Signal("the end of the handler");
        var desk = Desk.AnsweringAfter(answer);
        var server = scene.StartServer(server => server.AddService<IDesk>(desk));
        await using var proxy = FaultProxy.Start(server.Address, s_idleLimit, time);
        var channel = scene.CreateChannel(proxy.Address, options => options.KeepAliveTime = s_keepAlive);
        var call = channel.CreateProxy<IDesk>().AskPlainly(new Question { Id = 7 }).AsTask();
        await desk.Started.ReachAsync(1);

        for (var quiet = s_keepAlive; quiet <= Limits * s_idleLimit; quiet += s_keepAlive)
        {
            long answered = channel.GetStatistics().FramesReceived;
            time.Advance(s_keepAlive);
            await Eventually.Holds(() => channel.GetStatistics().FramesReceived > answered, () => $"the answer to the PING after {quiet}; {proxy.Cut.Count} connections were cut");
        }

        Assert.False(call.IsCompleted, "What came were answers to PINGs.");
        answer.Set();
        Assert.Equal(7, (await call.Within("the reply")).Id);
        Assert.Equal((0, 1), (proxy.Cut.Count, proxy.Accepted.Count));
        await channel.DisposeAsync();
        await scene.Logs.ReachAsync("ServerConnectionClosed"); // before the proxy ends, which would cut it
    }

    [Theory(Timeout = TestLimit)]
    [InlineData(TransportKind.Tcp)]
    [InlineData(TransportKind.Epoll)]
    public async Task A_proxy_that_cuts_fails_sent_calls_as_perhaps_executed_and_waiting_ones_as_not_and_those_that_follow_run_elsewhere(TransportKind kind)
    {
        Assert.SkipUnless(EveryTransport.Kinds.Contains(kind), "The operating system does not have it.");
        const int Sent = 2;
        const int Waiting = 3;
        var time = new ManualTime();
        var scene = Begin(kind, time);
        scene.ExpectedEnds.Add(CloseReason.ConnectionLost);
        var answer = new Signal("the end of the handlers");
        var desk = Desk.AnsweringAfter(answer);
        var server = scene.StartServer(server => server.AddService<IDesk>(desk), options => options.MaxCallsPerConnection = Sent);
        await using var proxy = FaultProxy.Start(server.Address, s_idleLimit, time);
        var channel = scene.CreateChannel(proxy.Address, options => (options.KeepAliveTime, options.MaxConnections) = (Timeout.InfiniteTimeSpan, 1));
        var sut = channel.CreateProxy<IDesk>();
        var sent = Enumerable.Range(0, Sent).Select(id => sut.AskPlainly(new Question { Id = id }).AsTask()).ToList();
        await desk.Started.ReachAsync(Sent);
        var waiting = Enumerable.Range(0, Waiting).Select(id => sut.AskPlainly(new Question { Id = id }).AsTask()).ToList();
        await Eventually.Holds(() => channel.GetStatistics() is { CallsWaiting: Waiting, BytesUnsent: 0 }, "calls that wait for others to end");

        await Eventually.Holds(() => ElapsesUntilCut(time, proxy), "the cut of the connection");

        foreach (var call in sent) await call.Within("the failure of a sent call").FailsAsync(MuxStatus.Unavailable, MuxExecution.MayHaveExecuted, MuxCallPhase.Wait);
        foreach (var call in waiting) await call.Within("the failure of a waiting call").FailsAsync(MuxStatus.Unavailable, MuxExecution.NotExecuted, MuxCallPhase.Queue);
        Assert.Contains("ConnectionLost", (await scene.Logs.ReachAsync("ClientConnectionClosed"))[0].Text, StringComparison.Ordinal);
        answer.Set();
        var again = Enumerable.Range(0, Waiting).Select(id => sut.AskPlainly(new Question { Id = id }).AsTask()).ToList();
        await Eventually.Holds(() => ElapsesUntilDialed(time, proxy), "a new connection"); // behind the pause after the loss
        for (int id = 0; id < Waiting; id++) Assert.Equal(id, (await again[id].Within("the reply over a new connection")).Id);
        Assert.Equal((Sent + Waiting, 2), (desk.Started.Count, proxy.Accepted.Count)); // nothing ran twice
        await channel.DisposeAsync();
    }

    /// <summary>Bytes may still be under way when the test believes that all is quiet: time goes on until the limit is over.</summary>
    private static bool ElapsesUntilCut(ManualTime time, FaultProxy proxy)
    {
        time.Advance(s_idleLimit);
        return proxy.Cut.Count > 0;
    }

    private static bool ElapsesUntilDialed(ManualTime time, FaultProxy proxy)
    {
        if (proxy.Accepted.Count < 2) time.Advance(s_tick);
        return proxy.Accepted.Count == 2;
    }
}
