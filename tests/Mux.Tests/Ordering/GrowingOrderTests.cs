using Mux.Telemetry;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Tests.Ordering;

/// <summary>Channels that add connections, or make one for each call, and many keys.</summary>
public sealed class GrowingOrderTests : EndToEndTests
{
    private readonly Accounts _accounts = new();

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Calls_of_a_key_keep_their_order_while_connections_are_added(TransportKind kind)
    {
        const int Keys = 12, Calls = 40, Limit = 5;
        var scene = Begin(kind);
        var server = scene.StartServer(server => server.AddService<IAccounts>(_accounts), static options => options.MaxCallsPerConnection = Limit);
        var channel = scene.CreateChannel(server, static options => (options.MinConnections, options.MaxConnections) = (1, 6));
        var sut = channel.CreateProxy<IAccounts>();
        var end = new Signal("the end of the first handlers");
        _accounts.OnRun = async (_, number, _) =>
        {
            if (number == 0) await end.WaitAsync();
            else if (number % 3 == 0) await Task.Yield();
        };
        List<Task<int>> calls = [];
        for (int number = 0; number < Calls; number++)
        {
            for (int account = 0; account < Keys; account++) calls.Add(sut.Add(account, number, Token).AsTask());
            if (number == 1) await Eventually.Holds(() => channel.GetEndpoints().Single().Connections > 1, "another connection");
        }

        end.Set();
        await Task.WhenAll(calls).Within("the calls of all keys");
        for (int account = 0; account < Keys; account++) Assert.Equal(Enumerable.Range(0, Calls), _accounts.NumbersOf(account));
        Assert.Equal(0, _accounts.Overlaps);
        await Eventually.Holds(() => scene.Logs.Of("ClientConnectionOpened").Count == scene.Transport.Dialed.Count, "the connections that are being dialed");
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task With_a_connection_for_each_call_those_of_a_key_run_one_at_a_time_and_serial_ones_at_once(TransportKind kind)
    {
        const int Keys = 4, Calls = 10;
        var scene = Begin(kind);
        var editor = new Accounts();
        var both = new Signal("two serial calls at a time");
        int running = 0;
        _accounts.OnRun = static async (_, _, _) => await Task.Yield();
        editor.OnRun = async (_, _, _) =>
        {
            if (Interlocked.Increment(ref running) == 2) both.Set();
            await both.WaitAsync();
        };
        var server = scene.StartServer(server => server.AddService<IAccounts>(_accounts).AddService<IEditor>(editor));
        var channel = scene.CreateChannel(server, static options => (options.Lifetime, options.MaxConnections) = (MuxConnectionLifetime.PerCall, 8));
        var sut = channel.CreateProxy<IAccounts>();
        await Task.WhenAll(Enumerable.Range(0, Keys * Calls).Select(i => sut.Add(i % Keys, i / Keys, Token).AsTask())).Within("calls with a connection for each");
        for (int account = 0; account < Keys; account++) Assert.Equal(Enumerable.Range(0, Calls), _accounts.NumbersOf(account).Order());
        Assert.Equal(0, _accounts.Overlaps);

        var serial = channel.CreateProxy<IEditor>();
        await Task.WhenAll(serial.Edit(1, 1, Token).AsTask(), serial.Edit(2, 2, Token).AsTask()).Within("serial calls of two connections");
    }

    [Fact(Timeout = TestLimit)]
    public async Task More_keys_than_may_be_open_at_a_time_come_one_after_the_other_and_leave_nothing()
    {
        const int Rounds = 6, Keys = 20_000, Together = 500;
        var scene = Begin(TransportKind.InMemory);
        int ran = 0;
        var server = scene.StartServer(server => server.AddService<IAccounts>(new Counting(() => Interlocked.Increment(ref ran))));
        var sut = scene.CreateChannel(server).CreateProxy<IAccounts>();
        await CallAsync(0); // code and what is made once
        long least = long.MaxValue; // what a key leaves it leaves in each round; what the runtime and the tests before it made or let go is in some
        for (int round = 0; round < Rounds; round++)
        {
            long before = ManagedMemory.Read();
            for (int first = round == 0 ? Together : 0; first < Keys; first += Together) await CallAsync((round * Keys) + first);
            await Eventually.Holds(() => Read(MetricNames.OrderKeys) == 0, "no key to have calls");
            least = Math.Min(least, ManagedMemory.Read() - before);
        }

        Assert.Equal(2 * Rounds * Keys, ran);
        Assert.Equal((0, 0), (Read(MetricNames.OrderWaitingCalls), Read(MetricNames.OrderRefusedCalls)));
        Assert.InRange(least, long.MinValue, 17 * Keys); // no object of any

        async Task CallAsync(int first)
        {
            var calls = Enumerable.Range(first, Together).SelectMany(key => (Task<int>[])[sut.Add(key, 0, Token).AsTask(), sut.Add(key, 1, Token).AsTask()]).ToArray();
            await Task.WhenAll(calls).Within("calls of many keys");
        }

        long Read(string name) => scene.Meters.Read().Where(reading => reading.Instrument == name).Sum(static reading => reading.Value);
    }

    private sealed class Counting(Action onRun) : IAccounts
    {
        public ValueTask<int> Add(int account, int number, CancellationToken cancellationToken)
        {
            onRun();
            return new(number);
        }

        public ValueTask<int> Put(int account, int number, byte[] body, CancellationToken cancellationToken) => Add(account, number, cancellationToken);

        public async ValueTask Tell(int account, int number) => await Add(account, number, default);

        public ValueTask<int> AddNamed(int account, int number, string? name, MuxCallOptions? options) => Add(account, number, default);
    }
}
