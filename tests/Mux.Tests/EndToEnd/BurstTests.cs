using Mux.Tests.Contracts;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Tests.EndToEnd;

/// <summary>Calls that are made all at once, each within the limits of a message, on one connection with defaults: they wait, and none fails.</summary>
public sealed class BurstTests : EndToEndTests
{
    [Theory(Timeout = TestLimit)]
    [InlineData(1_000, 100_000, 0)]
    [InlineData(400, 300_000, 0)]
    [InlineData(60, 1_000_000, 0)]
    [InlineData(20, 0, 3_900_000)]
    [InlineData(200, 100_000, 100_000)]
    [InlineData(20, 3_900_000, 3_900_000)]
    [InlineData(60, 1_000_000, 1_000_000)]
    [InlineData(300, 300_000, 300_000)]
    [InlineData(1_000, 100_000, 100_000)]
    [InlineData(4_000, 20_000, 20_000)]
    [InlineData(4_000, 2_000, 20_000)]
    [InlineData(4_000, 15_000, 15_000)]
    public async Task A_burst_of_large_messages_waits_and_none_of_its_calls_fails(int calls, int request, int reply)
    {
        var scene = Begin(TransportKind.Epoll);
        var desk = new Desk
        {
            OnAsk = async (question, _) =>
            {
                await Task.Yield();
                return new Answer { Id = question.Bytes!.Length, Bytes = new byte[reply] };
            },
        };
        var sut = scene.CreateChannel(scene.StartServer(server => server.AddService<IDesk>(desk)), options => options.MaxConnections = 1).CreateProxy<IDesk>();
        var question = new Question { Bytes = new byte[request] };

        var failures = await CallAsync(calls, () => sut.AskPlainly(question), answer => Assert.Equal((request, reply), (answer.Id, answer.Bytes!.Length)));

        TestContext.Current.TestOutputHelper!.WriteLine($"{failures.Count} of {calls} calls with {request} and {reply} bytes failed.");
        Assert.Empty(failures);
    }

    [Theory(Timeout = TestLimit)]
    [InlineData(TransportKind.Epoll, 100, 100_000)]
    [InlineData(TransportKind.Epoll, 1_000, 2_000)]
    [InlineData(TransportKind.Tls, 100, 100_000)]
    [InlineData(TransportKind.Tls, 1_000, 2_000)]
    public async Task Requests_wait_behind_large_replies_of_others_and_none_fails(TransportKind kind, int puts, int length)
    {
        const int Gets = 40, Reply = 1_000_000;
        var scene = Begin(kind);
        var desk = new Desk { OnAsk = static (question, _) => new(new Answer { Id = question.Id, Bytes = new byte[question.Id] }) };
        var sut = scene.CreateChannel(scene.StartServer(server => server.AddService<IDesk>(desk))).CreateProxy<IDesk>();
        var get = new Question { Id = Reply };
        var put = new Question { Bytes = new byte[length] };

        int made = 0;
        var failures = await CallAsync(puts + Gets, () => sut.AskPlainly(made++ % ((puts + Gets) / Gets) == 0 ? get : put), static _ => { });

        TestContext.Current.TestOutputHelper!.WriteLine($"{failures.Count} of {puts + Gets} calls failed: {failures.FirstOrDefault()}");
        Assert.Empty(failures);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_hundred_thousand_calls_wait_for_slow_handlers_and_none_fails()
    {
        const int Calls = 100_000;
        var scene = Begin(TransportKind.Epoll);
        var slow = new Signal("the end of the first handlers");
        var desk = Desk.AnsweringAfter(slow);
        var server = scene.StartServer(server => server.AddService<IDesk>(desk));
        var sut = scene.CreateChannel(server, options => options.MaxConnections = 1).CreateProxy<IDesk>();
        var question = new Question { Id = 7, Text = new string('x', 100) };

        var calling = CallAsync(Calls, () => sut.AskPlainly(question), static answer => Assert.Equal(7, answer.Id));
        await desk.Started.ReachAsync(1_000);
        slow.Set();
        var failures = await calling;

        TestContext.Current.TestOutputHelper!.WriteLine($"{failures.Count} of {Calls} slow calls failed.");
        Assert.Empty(failures);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Uploads_that_a_server_has_no_memory_for_are_sent_again_and_none_fails()
    {
        const int Calls = 60, Length = 3_900_000, Running = 18;
        var scene = Begin(TransportKind.Epoll);
        var release = new Signal("the end of the handlers that keep their uploads");
        var desk = Desk.AnsweringAfter(release);
        var server = scene.StartServer(server => server.AddService<IDesk>(desk));
        var sut = scene.CreateChannel(server, options => options.MaxConnections = 1).CreateProxy<IDesk>();
        var question = new Question { Id = 7, Bytes = new byte[Length] };

        var calling = CallAsync(Calls, () => sut.AskPlainly(question), static answer => Assert.Equal(7, answer.Id));
        await desk.Started.ReachAsync(Running);
        // One more waits at the server, and four are announced at a time: with so many bytes others have come whole, and were refused.
        await Eventually.Holds(() => server.GetStatistics().BytesReceived > (Running + 6L) * Length, "uploads beyond MaxRunningBytes");
        release.Set();
        var failures = await calling;

        TestContext.Current.TestOutputHelper!.WriteLine($"{failures.Count} of {Calls} uploads failed, and {desk.Started.Count} handlers ran.");
        Assert.Empty(failures);
        Assert.Equal(Calls, desk.Started.Count);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Replies_behind_one_that_is_cancelled_arrive()
    {
        const int Length = 3_900_000;
        var scene = Begin(TransportKind.Epoll);
        var desk = new Desk { OnAsk = static (question, _) => new(new Answer { Id = question.Id, Bytes = new byte[Length] }) };
        var sut = scene.CreateChannel(scene.StartServer(server => server.AddService<IDesk>(desk)), options => options.MaxConnections = 1).CreateProxy<IDesk>();
        using var cancellation = new CancellationTokenSource();
        var cancelled = Enumerable.Range(0, 10).Select(id => sut.Ask(new Question { Id = id }, cancellation.Token).AsTask()).ToArray();
        var others = Enumerable.Range(10, 10).Select(id => sut.Ask(new Question { Id = id }, CancellationToken.None).AsTask()).ToArray();
        await desk.Started.ReachAsync(5);
        await cancellation.CancelAsync();

        foreach (var call in others) Assert.Equal(Length, (await call.Within("a reply behind cancelled ones")).Bytes!.Length);
        foreach (var call in cancelled) await ((Task)call).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing | ConfigureAwaitOptions.ContinueOnCapturedContext);
    }

    private static async Task<List<string>> CallAsync(int calls, Func<ValueTask<Answer>> call, Action<Answer> check)
    {
        var running = Enumerable.Range(0, calls).Select(_ => call().AsTask()).ToArray();
        List<string> failures = [];
        foreach (var task in running)
        {
            try
            {
                check(await task.Within("a call of the burst"));
            }
            catch (MuxException error)
            {
                failures.Add(error.Message);
            }
        }

        return failures;
    }
}
