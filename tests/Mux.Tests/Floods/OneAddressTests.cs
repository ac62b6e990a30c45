using System.Collections.Concurrent;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports.Streams;
using Mux.Transports.Streams;

namespace Mux.Tests.Floods;

/// <summary>Clients of another machine that have one address, as behind an address translation or on a node with many pods.</summary>
public sealed class OneAddressTests : EndToEndTests
{
    private const string Shared = "10.0.0.1:4711", Other = "10.0.0.2:4711";

    private readonly TaskCompletionSource _end = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly List<Task> _held = [];
    private readonly ConcurrentQueue<Task> _serving = [];

    [Fact(Timeout = TestLimit)]
    public async Task Newcomers_are_served_next_to_200_connections_of_their_address_that_take_all_it_may_have()
    {
        var scene = Begin(TransportKind.InMemory);
        var desk = new Desk
        {
            OnAsk = async (question, _) =>
            {
                if (question.Id == 0) await _end.Task;
                return new Answer { Id = question.Id };
            },
        };
        var server = scene.StartServer(server => server.AddService<IDesk>(desk));
        for (int i = 0; i < 200; i++) await TakeAllAsync(CreateChannel(scene, server, Shared).CreateProxy<IDesk>());

        int served = 0;
        for (int i = 1; i <= 50; i++)
        {
            await using var channel = CreateChannel(scene, server, Shared);
            if ((await channel.CreateProxy<IDesk>().AskPlainly(new Question { Id = i })).Id == i) served++;
        }

        int held = _held.Count(call => !call.IsCompleted);
        TestContext.Current.SendDiagnosticMessage($"{held} calls of 200 connections of one address are held; {served} of 50 newcomers of it were served.");
        Assert.Equal(50, served);
        Assert.InRange(held, 5_000, 6_250);
        var other = CreateChannel(scene, server, Other).CreateProxy<IDesk>();
        await Task.WhenAll(Enumerable.Range(1, 1_000).Select(i => other.AskPlainly(new Question { Id = i }).AsTask()));
        _end.SetResult();
        foreach (var call in _held) _ = (await Task.WhenAny(call)).Exception;
        Assert.Equal(held, _held.Count(call => call.IsCompletedSuccessfully));
    }

    private async Task TakeAllAsync(IDesk hog)
    {
        for (int portion = 0; portion < 40; portion++) // one connection has 4,096 calls at most
        {
            var calls = Enumerable.Range(0, 100).Select(_ => hog.AskPlainly(new Question()).AsTask()).ToList();
            var last = hog.AskPlainly(new Question { Id = 1 }).AsTask(); // after them
            await Task.WhenAny(last);
            _ = last.Exception;
            _held.AddRange(calls);
            if (calls.Exists(static call => call.Exception is not null)) return;
        }
    }

    private MuxChannel CreateChannel(Scene scene, MuxServer server, string from) => scene.CreateChannel(server, options =>
    {
        options.MaxConnections = 1;
        options.Transport = StreamTransport.Connecting((_, _) =>
        {
            var (dialer, acceptor) = StreamPair.Create(dialerAddress: from);
            scene.DialsElsewhere++;
            scene.AcceptsElsewhere++;
            _serving.Enqueue(server.ServeAsync(acceptor, CancellationToken.None));
            return new(dialer);
        });
    });
}
