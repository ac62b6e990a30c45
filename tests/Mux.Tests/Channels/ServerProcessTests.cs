using System.Diagnostics;
using Mux.Engine;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;

namespace Mux.Tests.Channels;

/// <summary>What a channel makes of a server process that is killed, or stands still.</summary>
public sealed class ServerProcessTests : EndToEndTests
{
    private const int MaxCalls = 500;
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(5); // the goal is 0.1 s; nothing is asserted of that on a shared machine

    /// <summary>Without TLS: another process has a root of its own.</summary>
    public static TheoryData<TransportKind> Sockets => [.. EveryTransport.Kinds.Where(kind => kind is not (TransportKind.InMemory or TransportKind.Tls))];

    public override async ValueTask InitializeAsync()
    {
        // The runtime keeps handles from the first process it starts.
        await using (await ServerProcess.StartAsync(MuxAddress.Parse("mux://127.0.0.1:0"), MaxCalls)) await base.InitializeAsync();
    }

    [Theory(Timeout = TestLimit), MemberData(nameof(Sockets))]
    public async Task Killing_a_server_fails_1000_sent_calls_as_perhaps_executed(TransportKind kind)
    {
        var (scene, process, channel, sut) = await StartAsync(kind, connections: 2);
        await using var _ = process;
        var calls = Enumerable.Range(0, 2 * MaxCalls).Select(_ => sut.AskPlainly(new Question { Id = -1 }).AsTask()).ToList();
        await Eventually.Holds(() => channel.GetStatistics() is { CallsActive: 2 * MaxCalls, CallsWaiting: 0, BytesUnsent: 0 }, "the sending of all requests");
        await AssertTakesLittleTimeAsync(process, calls);
        foreach (var call in calls)
        {
            var error = await call.FailsAsync(MuxStatus.Unavailable, MuxExecution.MayHaveExecuted, MuxCallPhase.Wait);
            Assert.Contains("(Unavailable, may have executed): The connection was lost: ", error.Message, StringComparison.Ordinal); // closed or reset
        }

        Assert.Equal(2, scene.Logs.Of("ClientConnectionClosed").Count);
    }

    [Theory(Timeout = TestLimit), MemberData(nameof(Sockets))]
    public async Task Killing_a_server_fails_500_sent_calls_as_perhaps_executed_and_500_queued_ones_as_not_executed(TransportKind kind)
    {
        var (_, process, channel, sut) = await StartAsync(kind, connections: 1);
        await using var _ = process;
        var calls = Enumerable.Range(0, 2 * MaxCalls).Select(_ => sut.AskPlainly(new Question { Id = -1 }).AsTask()).ToList();
        await Eventually.Holds(() => channel.GetStatistics() is { CallsActive: 2 * MaxCalls, CallsWaiting: MaxCalls, BytesUnsent: 0 }, "the sending of half of the requests");
        await AssertTakesLittleTimeAsync(process, calls);
        foreach (var call in calls[..MaxCalls]) await call.FailsAsync(MuxStatus.Unavailable, MuxExecution.MayHaveExecuted, MuxCallPhase.Wait);
        foreach (var call in calls[MaxCalls..]) await call.FailsAsync(MuxStatus.Unavailable, MuxExecution.NotExecuted, MuxCallPhase.Queue);
    }

    [Theory(Timeout = TestLimit), MemberData(nameof(Sockets))]
    public async Task A_server_that_was_killed_and_started_again_is_found_by_the_next_call(TransportKind kind)
    {
        var (_, process, channel, sut) = await StartAsync(kind, connections: 2);
        await using var first = process;
        await process.KillAsync();
        await Eventually.Holds(() => channel.GetStatistics().OpenConnections == 0, "the loss of the connections");
        await using var second = await ServerProcess.StartAsync(process.Address, MaxCalls);
        Assert.Equal(7, (await sut.AskPlainly(new Question { Id = 7 }).AsTask().Within("the reply of the new process")).Id);
        await channel.DisposeAsync();
    }

    [Theory(Timeout = TestLimit), MemberData(nameof(Sockets))]
    public async Task A_server_that_stands_still_for_less_than_the_keep_alive_time_loses_nothing(TransportKind kind)
    {
        const int Calls = 2000;
        var (scene, process, channel, sut) = await StartAsync(kind, connections: 2);
        await using var _ = process;
        await process.SuspendAsync();
        var calls = Enumerable.Range(0, Calls).Select(id => sut.AskPlainly(new Question { Id = id }).AsTask()).ToList();
        await Eventually.Holds(() => channel.GetStatistics().CallsWaiting == Calls - (2 * MaxCalls), "as many open calls as are allowed");
        Assert.DoesNotContain(calls, call => call.IsCompleted);
        process.Resume();
        for (int id = 0; id < Calls; id++) Assert.Equal(id, (await calls[id].Within($"the reply to call {id}")).Id);
        Assert.Equal(2, scene.Transport.Dialed.Count);
        await channel.DisposeAsync();
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_server_that_stands_still_for_longer_than_the_keep_alive_time_is_given_up()
    {
        var (scene, process, _, sut) = await StartAsync(TransportKind.Tcp, connections: 1, TimeSpan.FromMilliseconds(100));
        await using var _ = process;
        scene.ExpectedEnds.Add(CloseReason.KeepAliveTimeout);
        await process.SuspendAsync();
        var error = await sut.AskPlainly(new Question()).AsTask().Within("the failure").FailsAsync(MuxStatus.Unavailable, MuxExecution.MayHaveExecuted, MuxCallPhase.Wait);
        Assert.Contains("The peer was silent for 0.1 s and did not answer within 0.1 s.", error.Message, StringComparison.Ordinal);
    }

    private async Task<(Scene Scene, ServerProcess Process, MuxChannel Channel, IDesk Proxy)> StartAsync(TransportKind kind, int connections, TimeSpan? keepAlive = null)
    {
        var scene = Begin(kind);
        scene.ExpectedEnds.Add(CloseReason.ConnectionLost);
        var process = await ServerProcess.StartAsync(scene.FreeAddress(), MaxCalls);
        var channel = scene.CreateChannel(process.Address, options =>
        {
            options.MaxConnections = options.MinConnections = connections;
            if (keepAlive is { } time) options.KeepAliveTime = options.KeepAliveTimeout = time;
        });
        await channel.ConnectAsync(TestContext.Current.CancellationToken);
        return (scene, process, channel, channel.CreateProxy<IDesk>());
    }

    private static async Task AssertTakesLittleTimeAsync(ServerProcess process, List<Task<Answer>> calls)
    {
        long start = Stopwatch.GetTimestamp();
        var killing = process.KillAsync();
        await Task.WhenAll(calls.Select(call => call.ContinueWith(static _ => { }, TaskScheduler.Default))).Within("the failure of all calls");
        var took = Stopwatch.GetElapsedTime(start);
        await killing;
        TestContext.Current.TestOutputHelper?.WriteLine($"{calls.Count} calls failed within {took.TotalMilliseconds:F1} ms of the signal.");
        Assert.InRange(took, TimeSpan.Zero, s_limit);
    }
}
