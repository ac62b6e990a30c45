using System.Runtime.CompilerServices;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;

namespace Mux.Tests.Peers;

/// <summary>Code of users that learns of connections, or belongs to them, and does not end.</summary>
public sealed class EndlessHookTests : EndToEndTests
{
    private const int Clients = 20;

    private readonly ManualTime _time = new();
    private readonly Hook _first = new();
    private readonly Hook _second = new Second(); // another type: its failures have its name
    private int _disposed;
    private int _unblocked;

    [Fact(Timeout = TestLimit)]
    public async Task A_connect_hook_that_never_ends_keeps_no_state_of_connections_that_come_and_go()
    {
        var endless = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        int cancelled = 0;
        List<WeakReference> states = [];
        _second.Connected = async (peer, token) =>
        {
            Add(states, peer.State(() => new State(this)));
            await using var _ = token.Register(() => Interlocked.Increment(ref cancelled));
            await endless.Task;
        };
        var scene = await ComeAndGoAsync();
        Assert.Equal((0, 0), (_second.Ends, _disposed)); // it has its time
        await Eventually.Holds(() => Volatile.Read(ref cancelled) == Clients, "the tokens of the hooks");
        await PassAsync(() => Volatile.Read(ref _disposed) == Clients && _first.Ends == Clients);
        await Eventually.Holds(
            () =>
            {
                GC.Collect();
                lock (states) return states.All(static state => !state.IsAlive);
            },
            "the states of all connections to be let go");
        Assert.Equal(0, _second.Ends);
        Assert.Equal(Clients, CountTold(scene, "Second.OnConnectedAsync has not ended 10 s"));

        endless.SetResult(); // late, and yet what it has done can be undone
        await Eventually.Holds(() => _second.Ends == Clients, "the late ends to be told");
        Assert.Equal((Clients, Clients), (_first.Ends, _disposed));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_disconnect_hook_or_a_disposal_that_never_ends_keeps_nothing_else()
    {
        var endless = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        _second.Connected = (peer, _) =>
        {
            peer.State(() => new State(this));
            peer.State(() => new Endless(endless.Task)); // disposed before the other
            return default;
        };
        _second.Disconnected = () => new ValueTask(endless.Task);
        var scene = await ComeAndGoAsync();
        await PassAsync(() => Volatile.Read(ref _disposed) == Clients && _first.Ends == Clients);
        Assert.Equal(Clients, CountTold(scene, "Second.OnDisconnectedAsync has not ended"));
        Assert.Equal(Clients, CountTold(scene, "Endless.DisposeAsync has not ended"));
        endless.SetException(new IOException("late"));
        await Eventually.Holds(() => CountTold(scene, "late") == 2 * Clients, "the late failures, which are seen and not lost");
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_disconnect_hook_or_a_disposal_that_blocks_its_thread_keeps_nothing_else()
    {
        using var end = new ManualResetEventSlim();
        _second.Connected = (peer, _) =>
        {
            peer.State(() => new State(this));
            peer.State(() => new Blocking(this, end)); // disposed before the other
            return default;
        };
        _second.Disconnected = () =>
        {
            end.Wait();
            return default;
        };
        var scene = await ComeAndGoAsync(clients: 2);
        try
        {
            await PassAsync(() => Volatile.Read(ref _disposed) == 2 && _first.Ends == 2);
            Assert.Equal(2, CountTold(scene, "Second.OnDisconnectedAsync has not ended"));
            Assert.Equal(2, CountTold(scene, "Blocking.Dispose has not ended"));
        }
        finally
        {
            end.Set();
        }

        await Eventually.Holds(() => Volatile.Read(ref _unblocked) == 2, "the threads to continue");
    }

    private static int CountTold(Scene scene, string text) =>
        scene.Logs.Of("ServerCallbackFailed").Count(entry => entry.Error!.Message.Contains(text, StringComparison.Ordinal));

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Add(List<WeakReference> states, State state)
    {
        lock (states) states.Add(new WeakReference(state));
    }

    private async Task<Scene> ComeAndGoAsync(int clients = Clients)
    {
        var scene = Begin(TransportKind.InMemory, _time);
        scene.ExpectedErrors.Add("ServerCallbackFailed");
        var server = scene.StartServer(server => server.AddService<IBounce>(new Bouncer()).AddPeerEvents(_first).AddPeerEvents(_second));
        for (int i = 1; i <= clients; i++)
        {
            var channel = scene.CreateChannel(server);
            await channel.ConnectAsync(TestContext.Current.CancellationToken);
            await Eventually.Holds(() => _second.Begins == i, "the hook to run");
            await channel.DisposeAsync();
        }

        return scene;
    }

    /// <summary>Lets time pass until something holds.</summary>
    private Task PassAsync(Func<bool> condition) => Eventually.Holds(
        () =>
        {
            _time.Advance(TimeSpan.FromSeconds(11));
            return condition();
        },
        () => $"the end of the patience; {_disposed} states are disposed, and {_first.Ends} ends told");

    private class Hook : IMuxPeerEvents
    {
        private int _begins;
        private int _ends;

        public Func<MuxPeer, CancellationToken, ValueTask> Connected { get; set; } = static (_, _) => default;

        public Func<ValueTask> Disconnected { get; set; } = static () => default;

        public int Begins => Volatile.Read(ref _begins);

        public int Ends => Volatile.Read(ref _ends);

        public async ValueTask OnConnectedAsync(MuxPeer peer, CancellationToken cancellationToken)
        {
            var running = Connected(peer, cancellationToken);
            Interlocked.Increment(ref _begins);
            await running;
        }

        public ValueTask OnDisconnectedAsync(MuxPeer peer, string reason)
        {
            Interlocked.Increment(ref _ends);
            return Disconnected();
        }
    }

    private sealed class Second : Hook;

    private sealed class State(EndlessHookTests test) : IDisposable
    {
        public void Dispose() => Interlocked.Increment(ref test._disposed);
    }

    private sealed class Blocking(EndlessHookTests test, ManualResetEventSlim end) : IDisposable
    {
        public void Dispose()
        {
            end.Wait();
            Interlocked.Increment(ref test._unblocked);
        }
    }

    private sealed class Endless(Task end) : IAsyncDisposable
    {
        public ValueTask DisposeAsync() => new(end);
    }
}
