using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Tests.Peers;

/// <summary>One-way methods that a client serves run one after the other, in the order in which the server called them, unless their contract says otherwise.</summary>
public sealed class ToldOrderTests : EndToEndTests
{
    /// <summary>Calls whose handlers have not ended, at a time.</summary>
    private const int Window = 50;

    private readonly Listener _listener = new();

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_client_hears_one_way_calls_one_after_the_other_in_their_order(TransportKind kind)
    {
        const int Calls = 1_000;
        var peer = await StartAsync(kind);
        _listener.OnHeard = static async number =>
        {
            if (number % 3 == 0) await Task.Yield();
        };

        for (int number = 0; number < Calls; number++)
        {
            if (number % 2 == 0) await peer.Get<IListener>().Tell(number);
            else await peer.Get<IListener>().Show(number);
            while (number - _listener.Ended.Count > Window) await Task.Yield();
        }

        await _listener.Ended.ReachAsync(Calls);
        TestContext.Current.TestOutputHelper?.WriteLine($"{_listener.OutOfOrder} of {Calls} out of order, {_listener.Overlaps} overlapped.");
        Assert.Equal((0, 0), (_listener.OutOfOrder, _listener.Overlaps));
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_contract_that_says_adaptive_lets_them_overlap(TransportKind kind)
    {
        var peer = await StartAsync(kind);
        var both = new Counter("handlers at a time");
        _listener.OnHeard = async _ =>
        {
            both.Add();
            await both.ReachAsync(2);
        };

        await peer.Get<IListener>().Shout(0);
        await peer.Get<IListener>().Shout(1);

        await _listener.Ended.ReachAsync(2);
    }

    private async Task<MuxPeer> StartAsync(TransportKind kind)
    {
        var scene = Begin(kind);
        var server = scene.StartServer(static _ => { });
        var channel = scene.CreateChannel(server, options =>
        {
            options.AddService<IListener>(_listener);
            options.KeepConnected = true;
            options.MaxCallsPerConnection = 500; // more than are under way, as their answers come later
        });
        await channel.ConnectAsync(TestContext.Current.CancellationToken);
        await Eventually.Holds(() => server.Peers.Count == 1, "the peer");
        return server.Peers.Single();
    }

    private sealed class Listener : IListener
    {
        private int _running, _next, _outOfOrder, _overlaps;

        public Func<int, ValueTask>? OnHeard { get; set; }

        public Counter Ended { get; } = new("handlers that have ended");

        public int OutOfOrder => Volatile.Read(ref _outOfOrder);

        public int Overlaps => Volatile.Read(ref _overlaps);

        public ValueTask Tell(int number) => HearAsync(number);

        public ValueTask Show(int number) => HearAsync(number);

        public ValueTask Shout(int number) => HearAsync(number);

        private async ValueTask HearAsync(int number)
        {
            if (Interlocked.Increment(ref _running) != 1) Interlocked.Increment(ref _overlaps);
            if (Interlocked.Increment(ref _next) - 1 != number) Interlocked.Increment(ref _outOfOrder);
            await OnHeard!(number);
            Interlocked.Decrement(ref _running);
            Ended.Add();
        }
    }
}

/// <summary>What a client is told.</summary>
[MuxService("test.Listener")]
public interface IListener
{
    [MuxMethod(OneWay = true)]
    ValueTask Tell(int number);

    [MuxMethod(OneWay = true)]
    ValueTask Show(int number);

    [MuxMethod(OneWay = true, Dispatch = MuxDispatchMode.Adaptive)]
    ValueTask Shout(int number);
}
