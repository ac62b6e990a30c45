using Mux.Tests.Contracts;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Tests.EndToEnd;

/// <summary>Handlers that call others, who call back.</summary>
public sealed class NestedCallTests : EndToEndTests
{
    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Calls_go_to_and_fro_between_two_servers(TransportKind kind)
    {
        const int Depth = 30;
        var scene = Begin(kind);
        var (a, b) = (new Relay("a"), new Relay("b"));
        var serverA = scene.StartServer(server => server.AddService<IRelay>(a));
        var serverB = scene.StartServer(server => server.AddService<IRelay>(b));
        a.Next = scene.CreateChannel(serverB).CreateProxy<IRelay>();
        b.Next = scene.CreateChannel(serverA).CreateProxy<IRelay>();
        var sut = scene.CreateChannel(serverA).CreateProxy<IRelay>();
        var calls = Enumerable.Range(0, 20).Select(_ => sut.Pass(Depth, string.Empty, TestContext.Current.CancellationToken).AsTask()).ToList();
        var expected = string.Concat(Enumerable.Repeat("ab", Depth / 2)) + "a";
        foreach (var call in calls) Assert.Equal(expected, await call.Within("a call that goes to and fro"));
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_handler_calls_the_server_it_runs_on_by_the_channel_its_own_call_came_by(TransportKind kind)
    {
        const int Depth = 10;
        var scene = Begin(kind);
        var relay = new Relay("a");
        relay.Next = scene.CreateChannel(scene.StartServer(server => server.AddService<IRelay>(relay))).CreateProxy<IRelay>();
        var call = relay.Next.Pass(Depth, string.Empty, TestContext.Current.CancellationToken).AsTask();
        Assert.Equal(new string('a', Depth + 1), await call.Within("a call that goes round"));
        Assert.Equal(1, scene.Transport.Dialed.Count);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task The_callers_token_ends_every_call_of_the_chain(TransportKind kind)
    {
        var scene = Begin(kind);
        var told = new Signal("the token of the last handler");
        var last = new Desk
        {
            OnAsk = async (_, token) =>
            {
                using var registration = token.Register(told.Set);
                await told.WaitAsync();
                token.ThrowIfCancellationRequested();
                return new Answer();
            },
        };
        var behind = scene.CreateChannel(scene.StartServer(server => server.AddService<IDesk>(last))).CreateProxy<IDesk>();
        var first = new Desk { OnAsk = (question, token) => behind.Ask(question, token) };
        var sut = scene.CreateChannel(scene.StartServer(server => server.AddService<IDesk>(first))).CreateProxy<IDesk>();
        using var cancellation = new CancellationTokenSource();
        var call = sut.Ask(new Question(), cancellation.Token).AsTask();
        await last.Started.ReachAsync(1);
        await cancellation.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call);
        await told.WaitAsync();
    }

    private sealed class Relay(string name) : IRelay
    {
        public IRelay Next { get; set; } = null!;

        public async ValueTask<string> Pass(int timesLeft, string path, CancellationToken cancellationToken) =>
            timesLeft == 0 ? path + name : await Next.Pass(timesLeft - 1, path + name, cancellationToken);
    }
}
