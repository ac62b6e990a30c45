using System.Collections.Concurrent;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports.Streams;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;
using Mux.Transports.Streams;

namespace Mux.Tests.Floods;

/// <summary>Clients of another machine that have one address, as behind an address translation or on a node with many pods.</summary>
public sealed class OneAddressTests : EndToEndTests
{
    private const string Shared = "10.0.0.1:4711", Other = "10.0.0.2:4711";

    private readonly ManualTime _time = new(); // those that wait are refused after half a minute without a place
    private readonly TaskCompletionSource _end = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly List<Task> _held = [];
    private readonly ConcurrentQueue<Task> _serving = [];

    [Fact(Timeout = TestLimit)]
    public async Task Newcomers_are_served_next_to_200_connections_of_their_address_that_take_all_it_may_have()
    {
        const int Hogs = 200, Requests = 150;
        var scene = Begin(TransportKind.InMemory, _time);
        int running = 0;
        var desk = new Desk
        {
            OnAsk = async (question, _) =>
            {
                if (question.Id != 0) return new Answer { Id = question.Id };
                Interlocked.Increment(ref running);
                await _end.Task;
                return new Answer();
            },
        };
        var server = scene.StartServer(server => server.AddService<IDesk>(desk));
        for (int i = 0; i < Hogs; i++)
        {
            var hog = CreateChannel(scene, server, Shared).CreateProxy<IDesk>();
            _held.AddRange(Enumerable.Range(0, Requests).Select(_ => hog.AskPlainly(new Question()).AsTask()));
            await Eventually.Holds(
                () => Volatile.Read(ref running) + server.GetStatistics().CallsParked == _held.Count, "requests that run, and others that wait");
            _time.Advance(TimeSpan.FromMilliseconds(10)); // unused places are counted again
        }

        int kept = running;
        Assert.InRange(kept, 5_000, 6_250);
        for (int i = 1; i <= 50; i++)
        {
            await using var channel = CreateChannel(scene, server, Shared);
            Assert.Equal(i, (await channel.CreateProxy<IDesk>().AskPlainly(new Question { Id = i })).Id);
        }

        var other = CreateChannel(scene, server, Other).CreateProxy<IDesk>();
        await Task.WhenAll(Enumerable.Range(1, 1_000).Select(i => other.AskPlainly(new Question { Id = i }).AsTask()));
        Assert.Equal((kept, _held.Count - kept), (running, server.GetStatistics().CallsParked)); // no place became free meanwhile
        _end.SetResult();
        var all = Task.WhenAll(_held);
        await Eventually.Holds(() => Step(all.IsCompleted), "the requests that have waited");
        await all;
        Assert.Equal((_held.Count, 0), (running, server.GetStatistics().CallsParked));
    }

    private bool Step(bool isDone)
    {
        if (!isDone) _time.Advance(TimeSpan.FromMilliseconds(10));
        return isDone;
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
