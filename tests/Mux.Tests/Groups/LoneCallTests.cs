using System.Collections.Concurrent;
using Mux.Engine;
using Mux.Protocol;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;
using Mux.Tests.Peers;

namespace Mux.Tests.Groups;

/// <summary>Calls to one peer that find no room at it: they wait, in order with the calls of its groups.</summary>
public sealed class LoneCallTests : EndToEndTests
{
    /// <summary>Calls that a client allows at once by default.</summary>
    private const int ByDefault = 64;

    private const int MostBytes = 1 << 20; // that wait for one peer
    private const int CallBytes = 256; // that a call counts in addition to its request

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_member_answers_each_call_while_its_group_is_called_as_fast_as_it_hears(TransportKind kind)
    {
        const int Calls = 200;
        var audience = await Audience.GatherAsync(Begin(kind), 1, options => options.MaxCallsPerConnection = ByDefault);
        var (peer, listener, _) = audience.Seats[0];
        var room = new MuxGroup<IHeard>();
        Assert.True(room.Add(peer));
        var isOver = false;
        int said = 0;
        var talk = Task.Run(async () =>
        {
            while (!Volatile.Read(ref isOver) && said < 1_000_000) await room.All.Say(said++);
        }, Token);
        for (int i = 0; i < Calls; i++) Assert.Equal(i + 1, await peer.Get<IHeard>().Ask(i, Token).AsTask().Within("an answer"));
        Volatile.Write(ref isOver, true);
        await talk.Within("the last call of the group");
        await listener.Heard.ReachAsync(said);
        Assert.Equal(Enumerable.Range(0, said), listener.Numbers);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task What_one_thread_calls_arrives_in_order_whether_it_calls_a_group_or_the_member_alone(TransportKind kind)
    {
        const int Rounds = 300, Burst = 100;
        var audience = await Audience.GatherAsync(Begin(kind), 1, options => options.MaxCallsPerConnection = ByDefault);
        var (peer, listener, _) = audience.Seats[0];
        var room = new MuxGroup<IHeard>();
        Assert.True(room.Add(peer));
        int said = 0;
        for (int round = 0; round < Rounds; round++)
        {
            for (int i = 0; i < Burst; i++) await room.All.Say(said++);
            await peer.Get<IHeard>().Say(said++);
        }

        await listener.Heard.ReachAsync(said);
        Assert.Equal(Enumerable.Range(0, said), listener.Numbers);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Calls_of_all_shapes_and_sizes_wait_for_room(TransportKind kind)
    {
        var audience = await Audience.GatherAsync(Begin(kind), 1, options => options.MaxCallsPerConnection = 1);
        var (peer, listener, _) = audience.Seats[0];
        var heard = peer.Get<IHeard>();
        byte[] picture = new byte[50_000];
        var sums = Enumerable.Range(0, 5).Select(_ => heard.Sum(new[] { 1, 2, 3 }.ToAsyncEnumerable(), Token).AsTask()).ToList();
        var counts = Enumerable.Range(0, 5).Select(_ => heard.Count(10, Token).CountAsync(Token).AsTask()).ToList();
        var shown = Enumerable.Range(0, 5).Select(number => heard.Show(number, picture).AsTask()).ToList();
        var asked = Enumerable.Range(0, 100).Select(number => heard.Ask(number, Token).AsTask()).ToList();
        Assert.All(await Task.WhenAll(sums).Within("the sums"), static sum => Assert.Equal(6, sum));
        Assert.All(await Task.WhenAll(counts).Within("the counts"), static count => Assert.Equal(10, count));
        await Task.WhenAll(shown).Within("the pictures");
        Assert.Equal(Enumerable.Range(1, 100), await Task.WhenAll(asked).Within("the answers"));
        await listener.Heard.ReachAsync(5);
        Assert.All(listener.Pictures, sent => Assert.Equal(picture, sent));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_call_waits_until_its_deadline_its_cancellation_or_the_end_and_is_not_executed()
    {
        var time = new ManualTime();
        var (peer, silent, _) = await BeginSilentAsync(most: 1, time);
        var heard = peer.Get<IHeard>();
        var open = heard.Ask(0, Token).AsTask();
        await silent.Arrived.ReachAsync(1);
        var late = heard.Tell("late", new MuxCallOptions { Timeout = TimeSpan.FromSeconds(1) }).AsTask();
        using var impatient = new CancellationTokenSource();
        var cancelled = heard.Ask(1, impatient.Token).AsTask();
        var left = heard.Tell("left", new MuxCallOptions { Timeout = TimeSpan.FromSeconds(100) }).AsTask();
        Assert.False(late.IsCompleted || cancelled.IsCompleted || left.IsCompleted);
        await impatient.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => cancelled.Within("the cancellation"));
        time.Advance(TimeSpan.FromSeconds(1.1));
        Assert.Equal((MuxStatus.DeadlineExceeded, MuxExecution.NotExecuted), Of(await Assert.ThrowsAsync<MuxException>(() => late.Within("the deadline"))));
        Assert.False(left.IsCompleted);
        silent.Dispose();
        Assert.Equal((MuxStatus.Unavailable, MuxExecution.NotExecuted), Of(await Assert.ThrowsAsync<MuxException>(() => left.Within("the end"))));
        Assert.Equal(MuxStatus.Unavailable, (await Assert.ThrowsAsync<MuxException>(() => open.Within("the end"))).Status);
        Assert.Equal(1, silent.Arrived.Count);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Calls_beyond_what_may_wait_are_refused_in_words_that_name_the_limit()
    {
        var (peer, silent, _) = await BeginSilentAsync(most: 1);
        var heard = peer.Get<IHeard>();
        var waiting = new List<Task>();
        while (waiting.Count == 0 || !waiting[^1].IsFaulted)
        {
            waiting.Add(heard.Ask(1, Token).AsTask());
            Assert.InRange(waiting.Count, 0, 2 + (MostBytes / CallBytes));
        }

        Assert.InRange(waiting.Count, MostBytes / (CallBytes + 10), 2 + (MostBytes / CallBytes));
        var refusal = await Assert.ThrowsAsync<MuxException>(() => waiting[^1]);
        Assert.Equal((MuxStatus.ResourceExhausted, MuxExecution.NotExecuted), Of(refusal));
        Assert.Contains($"{MostBytes}", refusal.Message, StringComparison.Ordinal);
        Assert.Contains("MaxCallsPerConnection", refusal.Message, StringComparison.Ordinal);
        silent.Dispose();
        await Task.WhenAll(waiting.Select(static call => Assert.ThrowsAsync<MuxException>(() => call))).Within("the end");
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_call_without_a_deadline_waits_for_as_long_as_the_peer_goes_on_taking_calls()
    {
        var time = new ManualTime();
        var (peer, silent, ids) = await BeginSilentAsync(most: 1, time);
        var calls = Enumerable.Range(0, 4).Select(number => peer.Get<IHeard>().Tell($"{number}").AsTask()).ToList();
        for (int answered = 0; answered < 2; answered++)
        {
            time.Advance(TimeSpan.FromSeconds(4));
            await silent.Arrived.ReachAsync(answered + 1);
            Assert.True(ids.TryDequeue(out var id));
            silent.Respond(id);
            await silent.Arrived.ReachAsync(answered + 2);
            await Eventually.Holds(() => calls[answered + 1].IsCompletedSuccessfully, "the call to be handed over");
        }

        Assert.False(calls[^1].IsCompleted); // after 8 s
        time.Advance(TimeSpan.FromSeconds(5.1));
        var refusal = await Assert.ThrowsAsync<MuxException>(() => calls[^1].Within("the end of the wait"));
        Assert.Equal((MuxStatus.ResourceExhausted, MuxExecution.NotExecuted), Of(refusal));
        Assert.Contains("for 5 s", refusal.Message, StringComparison.Ordinal);
        silent.Dispose();
    }

    private static (MuxStatus Status, MuxExecution Execution) Of(MuxException failure) => (failure.Status, failure.Execution);

    /// <summary>A client that answers when the test does.</summary>
    private async Task<(MuxPeer Peer, RawClient Client, ConcurrentQueue<CallId> Ids)> BeginSilentAsync(int most, ManualTime? time = null)
    {
        var scene = Begin(TransportKind.InMemory, time);
        scene.ExpectedEnds.UnionWith([CloseReason.ConnectionLost, CloseReason.KeepAliveTimeout]); // it answers no ping
        var server = scene.StartServer(static server => server.AddService<IBounce>(new Bouncer()));
        var ids = new ConcurrentQueue<CallId>();
        var silent = new RawClient(scene, server.Address, (_, id) => ids.Enqueue(id), new PeerSettings { MaxCalls = most });
        await Eventually.Holds(() => server.Peers.Count == 1, "the server to know its client");
        return (server.Peers.Single(), silent, ids);
    }
}
