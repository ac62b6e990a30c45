using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Tests.Ordering;

/// <summary>Calls of one key run one after the other at the server, in the order in which they were made.</summary>
public sealed class OrderedCallTests : EndToEndTests
{
    private const int Keys = 8;

    private readonly Accounts _accounts = new();

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Calls_of_a_key_run_in_order_whatever_their_handlers_do(TransportKind kind)
    {
        const int Calls = 60;
        var channel = Start(Begin(kind), options => (options.MinConnections, options.MaxConnections) = (3, 3));
        var sut = channel.CreateProxy<IAccounts>();
        var random = new Random(TestSeed.Next());
        int[] ways = [.. Enumerable.Range(0, Keys * Calls).Select(_ => random.Next(4))];
        _accounts.OnRun = async (account, number, _) =>
        {
            switch (ways[(account * Calls) + number])
            {
                case 1:
                    await Task.Yield();
                    break;
                case 2:
                    using (var blocked = new ManualResetEventSlim())
                    {
                        ThreadPool.UnsafeQueueUserWorkItem(static blocked => blocked.Set(), blocked, preferLocal: false);
                        blocked.Wait(CancellationToken.None);
                    }

                    break;
            }
        };
        var callers = Enumerable.Range(0, Keys).Select(account => Task.Run(() => CallAll(sut, account, Calls))).ToArray();

        foreach (var caller in callers) await caller.Within("the calls of a key");

        for (int account = 0; account < Keys; account++) Assert.Equal(Enumerable.Range(0, Calls), _accounts.NumbersOf(account));
        Assert.Equal(0, _accounts.Overlaps);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_handler_that_blocks_stops_its_own_key_alone(TransportKind kind)
    {
        var sut = Start(Begin(kind)).CreateProxy<IAccounts>();
        var end = new Signal("the end of the handler that blocks");
        _accounts.OnRun = (account, number, _) =>
        {
            if ((account, number) == (1, 0)) end.Wait();
            return default;
        };
        var first = sut.Add(1, 0, Token).AsTask();
        await _accounts.Started.ReachAsync(1);
        var second = sut.Add(1, 1, Token).AsTask();

        for (int number = 0; number < 20; number++) await sut.Add(2, number, Token).AsTask().Within("a call of another key");

        Assert.Equal([0], _accounts.NumbersOf(1));
        end.Set();
        await Task.WhenAll(first, second).Within("the calls of the key that was blocked");
        Assert.Equal([0, 1], _accounts.NumbersOf(1));
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_call_does_not_overtake_a_large_one_before_it(TransportKind kind)
    {
        const int Calls = 12;
        var sut = Start(Begin(kind)).CreateProxy<IAccounts>();
        var body = new byte[300_000];

        var calls = Enumerable.Range(0, Calls).Select(number => number % 4 == 0 ? sut.Put(1, number, body, Token).AsTask() : sut.Add(1, number, Token).AsTask()).ToArray();
        await Task.WhenAll(calls).Within("large and small calls of a key");

        Assert.Equal(Enumerable.Range(0, Calls), _accounts.NumbersOf(1));
        Assert.Equal(0, _accounts.Overlaps);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task One_way_calls_keep_their_place_among_the_others(TransportKind kind)
    {
        const int Calls = 100;
        var sut = Start(Begin(kind)).CreateProxy<IAccounts>();
        _accounts.OnRun = async (_, number, _) =>
        {
            if (number % 3 == 0) await Task.Yield();
        };

        for (int number = 0; number < Calls; number++)
        {
            if (number % 2 == 0) await sut.Tell(1, number);
            else _ = sut.Add(1, number, Token).AsTask();
        }

        await _accounts.Started.ReachAsync(Calls);
        Assert.Equal(Enumerable.Range(0, Calls), _accounts.NumbersOf(1));
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Calls_without_a_key_do_not_wait_for_each_other(TransportKind kind)
    {
        var sut = Start(Begin(kind)).CreateProxy<IAccounts>();
        var both = new Signal("two handlers at a time");
        int running = 0;
        _accounts.OnRun = async (_, _, _) =>
        {
            if (Interlocked.Increment(ref running) == 2) both.Set();
            await both.WaitAsync();
        };

        await Task.WhenAll(sut.AddNamed(1, 0, null).AsTask(), sut.AddNamed(2, 1, string.Empty).AsTask()).Within("two calls without a key");
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task All_calls_of_a_key_come_by_one_connection(TransportKind kind)
    {
        const int Calls = 20;
        var channel = Start(Begin(kind), options => (options.MinConnections, options.MaxConnections) = (4, 4));
        await channel.ConnectAsync(Token);
        var sut = channel.CreateProxy<IAccounts>();
        var options = new MuxCallOptions { Key = "of no effect here" };

        var calls = Enumerable.Range(0, Keys * Calls).Select(i => sut.AddNamed(i % Keys, i / Keys, $"key {i % Keys}", i % 2 == 0 ? options : null).AsTask());
        await Task.WhenAll(calls).Within("calls of eight keys");

        for (int account = 0; account < Keys; account++)
        {
            Assert.Equal(Enumerable.Range(0, Calls), _accounts.NumbersOf(account));
            Assert.Single(_accounts.Callers[account].Distinct());
        }

        Assert.True(_accounts.Callers.Values.SelectMany(static callers => callers).Distinct().Count() > 1, "All keys are on one of four connections.");
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Two_clients_share_the_keys_of_a_server(TransportKind kind)
    {
        const int Calls = 200;
        var scene = Begin(kind);
        var server = scene.StartServer(server => server.AddService<IAccounts>(_accounts));
        IAccounts[] proxies = [scene.CreateChannel(server).CreateProxy<IAccounts>(), scene.CreateChannel(server).CreateProxy<IAccounts>()];
        _accounts.OnRun = async (_, number, _) =>
        {
            if (number % 5 == 0) await Task.Yield();
        };

        await Task.WhenAll(proxies.Select((proxy, client) => Task.WhenAll(Enumerable.Range(0, Calls).Select(i => proxy.Add(1, (client * Calls) + i, Token).AsTask()))))
            .Within("the calls of two clients");

        Assert.Equal(0, _accounts.Overlaps);
        var numbers = _accounts.NumbersOf(1);
        Assert.Equal(Enumerable.Range(0, Calls), numbers.Where(static number => number < Calls));
        Assert.Equal(Enumerable.Range(Calls, Calls), numbers.Where(static number => number >= Calls));
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_client_serves_calls_of_a_key_in_order(TransportKind kind)
    {
        const int Calls = 100;
        var scene = Begin(kind);
        var server = scene.StartServer(server => server.AddService<IEditor>(new Accounts()));
        var channel = scene.CreateChannel(server, options => options.AddService<IAccounts>(_accounts).KeepConnected = true);
        await channel.ConnectAsync(Token);
        await Eventually.Holds(() => server.Peers.Count == 1, "the peer");
        var sut = server.Peers.Single().Get<IAccounts>();
        _accounts.OnRun = async (_, number, _) =>
        {
            if (number % 4 == 0) await Task.Yield();
        };

        for (int at = 0; at < Calls; at += 20)
        {
            await Task.WhenAll(Enumerable.Range(at, 20).Select(number => sut.Add(1, number, Token).AsTask())).Within("calls of a server");
        }

        Assert.Equal(Enumerable.Range(0, Calls), _accounts.NumbersOf(1));
        Assert.Equal(0, _accounts.Overlaps);
    }

    private static Task CallAll(IAccounts sut, int account, int calls) =>
        Task.WhenAll(Enumerable.Range(0, calls).Select(number => sut.Add(account, number, Token).AsTask()).ToArray());

    private MuxChannel Start(Scene scene, Action<MuxChannelOptions>? configure = null) =>
        scene.CreateChannel(scene.StartServer(server => server.AddService<IAccounts>(_accounts)), configure);
}
