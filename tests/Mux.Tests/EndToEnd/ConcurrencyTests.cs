using Mux.Tests.Contracts;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Tests.EndToEnd;

/// <summary>Many calls at a time: each gets its own reply, and no more run than the server allows.</summary>
public sealed class ConcurrencyTests : EndToEndTests
{
    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_thousand_calls_at_a_time_each_get_their_own_reply(TransportKind kind)
    {
        const int Calls = 1000;
        var scene = Begin(kind);
        var answers = Enumerable.Range(0, Calls).Select(id => new TaskCompletionSource<Answer>(TaskCreationOptions.RunContinuationsAsynchronously)).ToArray();
        var desk = new Desk { OnAsk = (question, _) => new(answers[question.Id].Task) };
        var sut = Start(scene, desk);
        var calls = Enumerable.Range(0, Calls).Select(id => sut.AskPlainly(new Question { Id = id }).AsTask()).ToArray();
        await desk.Started.ReachAsync(Calls);

        // Answered in an order that has nothing to do with that of the calls.
        int[] order = [.. Enumerable.Range(0, Calls)];
        new Random(TestSeed.Next()).Shuffle(order);
        foreach (int id in order) answers[id].SetResult(new Answer { Id = id });
        for (int id = 0; id < Calls; id++) Assert.Equal(id, (await calls[id].Within($"the reply to call {id}")).Id);
        Assert.Equal(1, scene.Transport.Dialed.Count);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Callers_on_many_threads_get_their_own_replies(TransportKind kind)
    {
        const int Callers = 16;
        const int CallsEach = 500;
        var scene = Begin(kind);
        var sut = Start(scene, new Desk());
        await Parallel.ForAsync(0, Callers, new ParallelOptions { MaxDegreeOfParallelism = Callers }, async (caller, _) =>
        {
            for (int i = 0; i < CallsEach; i++)
            {
                int id = (caller * CallsEach) + i;
                Assert.Equal(id, (await sut.AskPlainly(new Question { Id = id })).Id);
            }
        });
        Assert.Equal(Callers * CallsEach, scene.Channels[0].GetStatistics().CallsCompleted);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Calls_beyond_the_limit_of_the_server_wait_in_order_and_all_succeed(TransportKind kind)
    {
        const int Limit = 100;
        const int Calls = 450;
        var scene = Begin(kind);
        var desk = new GatedDesk();
        var server = scene.StartServer(server => server.AddService<IDesk>(desk), options => (options.MaxCallsPerConnection, options.Dispatch) = (Limit, MuxDispatchMode.Inline));
        var channel = scene.CreateChannel(server);
        var sut = channel.CreateProxy<IDesk>();
        var calls = Enumerable.Range(0, Calls).Select(id => sut.AskPlainly(new Question { Id = id }).AsTask()).ToArray();
        await desk.Started.ReachAsync(Limit);
        Assert.Equal(Calls - Limit, channel.GetStatistics().CallsWaiting);

        for (int answered = 0; answered < Calls; answered++)
        {
            desk.AnswerOldest();
            await desk.Started.ReachAsync(Math.Min(Calls, Limit + answered + 1)); // one goes out, one comes in
        }

        for (int id = 0; id < Calls; id++) Assert.Equal(id, (await calls[id].Within($"the reply to call {id}")).Id);
        Assert.Equal(Limit, desk.MostAtATime);
        Assert.Equal(Enumerable.Range(0, Calls), kind == TransportKind.InMemory ? desk.Order : desk.Order.Order()); // elsewhere one that the machine suspends is overtaken
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_burst_on_a_cold_channel_stays_within_the_limit(TransportKind kind)
    {
        const int Limit = 100;
        const int Calls = 1000;
        var scene = Begin(kind);
        var desk = new GatedDesk { AnswersAtOnce = true };
        var server = scene.StartServer(server => server.AddService<IDesk>(desk), options => options.MaxCallsPerConnection = Limit);
        var sut = scene.CreateChannel(server).CreateProxy<IDesk>();
        var together = new Signal("the start of the burst");
        var callers = Enumerable.Range(0, 4).Select(caller => Task.Run(async () =>
        {
            await together.WaitAsync();
            await Task.WhenAll(Enumerable.Range(0, Calls / 4).Select(i => sut.AskPlainly(new Question { Id = (caller * Calls / 4) + i }).AsTask()));
        })).ToArray();
        together.Set();
        await Task.WhenAll(callers).Within("all replies");
        Assert.InRange(desk.MostAtATime, 1, Limit);
        Assert.Equal(Calls, desk.Order.Count);
        Assert.Equal(1, scene.Transport.Dialed.Count);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Calls_beyond_the_bytes_that_may_wait_are_refused_before_they_are_sent(TransportKind kind)
    {
        const int Limit = 65_536; // the smallest allowed: 64 calls with requests of 768 bytes and 256 for each call itself
        var scene = Begin(kind);
        var answer = new Signal("the end of the calls that are waited behind");
        var server = scene.StartServer(server => server.AddService<IDesk>(Desk.AnsweringAfter(answer)), options => options.MaxCallsPerConnection = 1);
        var channel = scene.CreateChannel(server, options => (options.MaxQueuedBytes, options.MaxConnections) = (Limit, 1));
        var sut = channel.CreateProxy<IDesk>();
        var question = new Question { Bytes = new byte[765] }; // and 3 bytes of tag and length
        await channel.ConnectAsync(TestContext.Current.CancellationToken);
        var calls = Enumerable.Range(0, 65).Select(_ => sut.AskPlainly(question).AsTask()).ToArray(); // one open, 64 waiting
        var error = await sut.AskPlainly(question).FailsAsync(MuxStatus.ResourceExhausted, MuxExecution.NotExecuted, MuxCallPhase.Queue);
        Assert.Contains("64 calls wait to be sent with 65536 bytes; MaxQueuedBytes allows 65536.", error.Message, StringComparison.Ordinal);
        answer.Set();
        await Task.WhenAll(calls).Within("the calls that were taken");
    }

    private static IDesk Start(Scene scene, Desk desk) => scene.CreateChannel(scene.StartServer(server => server.AddService<IDesk>(desk))).CreateProxy<IDesk>();
}
