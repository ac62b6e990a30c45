using Mux.Engine;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Tests.Ordering;

namespace Mux.Tests.Forwarding;

/// <summary>Calls of a key keep their order through a gateway, which learns the key from its client.</summary>
public sealed class ForwardedOrderTests : EndToEndTests
{
    private const int Keys = 8;

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    /// <param name="connections">Connections of the gateway to the service, and of the client to the gateway.</param>
    /// <param name="ages">True if service and gateway end each connection after a while.</param>
    [Theory(Timeout = TestLimit), InlineData(2, false), InlineData(4, false), InlineData(2, true)]
    public async Task One_way_calls_of_a_key_keep_their_order_through_a_gateway(int connections, bool ages)
    {
        const int Calls = 5_000, Window = 25; // of one key: a small part of what a gateway gives one client, which learns late on a busy machine that calls ran
        var notes = new AccountNotes();
        var scene = Begin(TransportKind.Tcp);
        scene.ExpectedEnds.UnionWith(ages ? [CloseReason.MaxAge, CloseReason.Disposed] : []);
        var service = scene.StartServer(server => server.AddService<IAccounts>(notes), Age);
        var behind = scene.CreateChannel(service, Connect);
        var gateway = scene.StartServer(server => server.AddRoute(new MuxRoute("test.*", behind)), Age);
        var sut = scene.CreateChannel(gateway, Connect).CreateProxy<IAccounts>();

        var written = Task.WhenAll(Enumerable.Range(0, Keys).Select(account => Task.Run(() => WriteAsync(account))));
        await written.Within("the calls of all keys");
        Assert.Empty(scene.Logs.Of("OneWayCallFailed"));
        await notes.Ran.ReachAsync(Keys * Calls);
        TestContext.Current.TestOutputHelper?.WriteLine($"{connections} connections: {notes.OutOfOrder} of {Keys * Calls} one-way calls out of order.");
        Assert.Equal(0, notes.OutOfOrder);

        void Age(MuxServerOptions options)
        {
            if (ages) options.MaxConnectionAge = TimeSpan.FromMilliseconds(50);
        }

        void Connect(MuxChannelOptions options) => (options.MinConnections, options.MaxConnections) = (connections, connections);

        async Task WriteAsync(int account)
        {
            for (int number = 0; number < Calls; number++)
            {
                await sut.Tell(account, number);
                while (number - notes.LastOf(account) > Window) await Task.Yield();
            }
        }
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_call_of_a_key_does_not_overtake_a_large_one_before_it_at_a_gateway()
    {
        const int Calls = 60;
        var accounts = new Accounts();
        var scene = Begin(TransportKind.InMemory);
        var service = scene.StartServer(server => server.AddService<IAccounts>(accounts));
        var behind = scene.CreateChannel(service, static options => (options.MinConnections, options.MaxConnections) = (2, 2));
        var gateway = scene.StartServer(server => server.AddRoute(new MuxRoute("test.*", behind)));
        var sut = scene.CreateChannel(gateway).CreateProxy<IAccounts>();
        List<Task<int>> calls = [];
        for (int number = 0; number < Calls; number++)
        {
            for (int account = 0; account < Keys; account++)
            {
                var call = number % 3 == 1 ? sut.Put(account, number, new byte[100_000], Token) : sut.Add(account, number, Token);
                calls.Add(call.AsTask());
            }
        }

        await Task.WhenAll(calls).Within("the calls of all keys");
        for (int account = 0; account < Keys; account++) Assert.Equal(Enumerable.Range(0, Calls), accounts.NumbersOf(account));
    }

    [Fact(Timeout = TestLimit)]
    public async Task Calls_of_a_key_keep_their_order_at_a_gateway_that_lets_requests_wait()
    {
        const int Calls = 200; // of eight keys: less than the share of one connection
        var accounts = new Accounts();
        var scene = Begin(TransportKind.Tcp);
        var service = scene.StartServer(server => server.AddService<IAccounts>(accounts));
        var behind = scene.CreateChannel(service, static options => (options.MinConnections, options.MaxConnections) = (2, 2));
        var gateway = scene.StartServer(server => server.AddRoute(new MuxRoute("test.*", behind)), static options => options.MaxRunningBytes = 64 * 1024);
        var sut = scene.CreateChannel(gateway).CreateProxy<IAccounts>();
        List<Task<int>> calls = [];
        for (int number = 0; number < Calls; number++)
        {
            for (int account = 0; account < Keys; account++) calls.Add(sut.Put(account, number, new byte[1_000], Token).AsTask());
        }

        await Task.WhenAll(calls).Within("the calls of all keys");
        for (int account = 0; account < Keys; account++) Assert.Equal(Enumerable.Range(0, Calls), accounts.NumbersOf(account));
    }
}
