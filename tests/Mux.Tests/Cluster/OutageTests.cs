using System.Net;
using System.Net.Sockets;
using Mux.Client;
using Mux.Discovery;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;
using Mux.Transports.InMemory;

namespace Mux.Tests.Cluster;

/// <summary>
/// All servers of a channel are away for a moment, again and again, while calls are made. Ten outages; a hundred, of
/// processes, are made by <c>benchmarks/Evidence -- outages</c>.
/// </summary>
[Collection(nameof(EndToEndTests))]
public sealed class OutageTests : IDisposable
{
    private const int Servers = 3, Outages = 10, CallsPerStep = 4, Port = 7070;

    private static readonly TimeSpan s_step = TimeSpan.FromMilliseconds(10);
    private static readonly TimeSpan s_measured = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan s_longestPoll = TimeSpan.FromSeconds(18); // of DNS: 15 s and a fifth

    private readonly ManualTime _time = new();
    private readonly SimulationPool _pool = new();
    private readonly InMemoryTransport _network = new(new InMemoryTransportOptions { ManualPump = true });
    private readonly MuxServer?[] _servers = new MuxServer?[Servers];
    private readonly long[] _served = new long[Servers];
    private readonly List<Task> _calls = [];
    private bool _fails; // the first server, all its calls
    private bool _isByName; // DNS names the servers, and not the test
    private int _named = Servers; // by DNS: the last ones
    private int _answered; // of those, how many the last answer had
    private MuxChannel? _channel;
    private IDesk? _desk;

    private EndpointTable Table => ((EndpointRouter)_channel!.Route).Table;

    public void Dispose()
    {
        _channel?.Dispose();
        foreach (var server in _servers) server?.Dispose();
    }

    [Theory]
    [InlineData(false, false)]
    [InlineData(false, true)]
    [InlineData(true, false)]
    [InlineData(true, true)]
    public void Two_seconds_after_all_servers_were_away_each_gets_its_share(bool areReady, bool areKilled)
    {
        int seed = int.TryParse(Environment.GetEnvironmentVariable("MUX_TEST_SEED"), out int given) ? given : Random.Shared.Next();
        var random = new Random(seed);
        for (int i = 0; i < Servers; i++) Start(i);
        Connect(seed);
        Pass(TimeSpan.FromSeconds(1), areReady: false);
        for (int outage = 0; outage < Outages; outage++)
        {
            foreach (int index in Enumerable.Range(0, Servers)) End(index, areKilled);
            var away = TimeSpan.FromMilliseconds(random.Next(100, 5_000));
            Pass(away, areReady);
            foreach (int index in Enumerable.Range(0, Servers).OrderBy(_ => random.Next()))
            {
                Start(index);
                Pass(s_step * random.Next(0, 4), areReady);
            }

            Pass(TimeSpan.FromSeconds(2), areReady);
            Array.Clear(_served);
            Pass(s_measured, areReady);

            double fair = (double)_served.Sum() / Servers;
            string told = $"after {away.TotalSeconds:F1} s away (seed {seed}, outage {outage}): {string.Join(" / ", _served)}";
            TestContext.Current.TestOutputHelper?.WriteLine(told);
            Assert.True(Array.TrueForAll(_served, served => served > fair * 0.7 && served < fair * 1.3), $"Shares {told}");
            Settle();
            _calls.RemoveAll(static call => call.IsCompleted);
            Assert.True(_calls.Count == 0, $"{_calls.Count} calls have no end {told}.");
            Assert.All(Table.States, static state => Assert.Equal(0, state.Slowness.OpenCount));
        }
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(5)]
    [InlineData(30)]
    [InlineData(80)]
    [InlineData(600)]
    public void A_server_that_was_away_has_its_share_two_seconds_after_its_return(int seconds)
    {
        const int Seed = 33;
        for (int i = 0; i < Servers; i++) Start(i);
        Connect(Seed);
        Pass(TimeSpan.FromSeconds(1), areReady: false);
        End(0, isKilled: true);
        PassAway(seconds);

        AssertReturns($"away for {seconds} s");
    }

    [Theory]
    [InlineData(1, 0)]
    [InlineData(5, 3)]
    [InlineData(30, 3)]
    [InlineData(30, 18)]
    [InlineData(600, 15)]
    public void A_server_whose_address_was_dropped_has_its_share_two_seconds_after_it_is_named_again(int seconds, int named)
    {
        const int Seed = 35;
        for (int i = 0; i < Servers; i++) Start(i);
        Connect(Seed);
        Pass(TimeSpan.FromSeconds(1), areReady: false);
        End(0, isKilled: true);
        PassAway(named); // the lease of etcd, or the time to live of a record of DNS
        Report(first: 1);
        PassAway(seconds - named);

        AssertReturns($"away for {seconds} s, and not named for {seconds - named} s");
    }

    [Theory]
    [InlineData(1)]
    [InlineData(30)]
    [InlineData(600)]
    public void A_server_that_DNS_names_while_it_is_away_has_its_share_two_seconds_after_its_return(int seconds)
    {
        ConnectByName();
        End(0, isKilled: true);
        PassAway(seconds);

        AssertReturns($"away for {seconds} s, and named by DNS");
    }

    [Theory]
    [InlineData(1)]
    [InlineData(30)]
    [InlineData(600)]
    public void A_server_that_DNS_drops_while_it_is_away_has_its_share_two_seconds_after_an_answer_names_it(int seconds)
    {
        ConnectByName();
        _named = Servers - 1;
        End(0, isKilled: true); // asks again at once
        PassAway(seconds);
        Assert.Equal(Servers - 1, Table.States.Length);
        Start(0);
        _named = Servers;
        AwaitAnswer();

        AssertReturned($"away for {seconds} s, and not named by DNS");
    }

    [Theory]
    [InlineData(30)]
    [InlineData(600)]
    public void A_server_that_returns_while_DNS_fails_has_its_share_two_seconds_after_its_return(int seconds)
    {
        ConnectByName();
        _named = 0;
        End(0, isKilled: true);
        PassAway(seconds);
        Assert.Equal(0, _answered);

        AssertReturns($"away for {seconds} s, while DNS names no server");
    }

    private void PassAway(int seconds)
    {
        Pass(TimeSpan.FromSeconds(Math.Min(seconds, 2)), areReady: false);
        for (int second = 2; second < seconds; second++)
        {
            // Less often, because it is many steps.
            _ = _desk!.Ask(new Question(), TestContext.Current.CancellationToken).AsTask();
            for (int i = 0; i < 10; i++)
            {
                Settle();
                _time.Advance(s_step * 10);
            }
        }
    }

    [Fact]
    public void A_server_that_failed_its_calls_and_was_restarted_has_its_share_two_seconds_after_its_return()
    {
        const int Seed = 34;
        for (int i = 0; i < Servers; i++) Start(i);
        Connect(Seed);
        _fails = true;
        Pass(TimeSpan.FromSeconds(60), areReady: false);
        Assert.True(_channel!.GetEndpoints()[0].IsEjected);
        End(0, isKilled: true);
        _fails = false;
        Pass(TimeSpan.FromSeconds(1), areReady: false);
        AssertReturns("ejected for a minute, and restarted");
    }

    private void AssertReturns(string what)
    {
        Start(0);
        if (!_isByName) Report(first: 0);
        AssertReturned(what);
    }

    private void AssertReturned(string what)
    {
        Array.Clear(_served);
        var first = TimeSpan.Zero;
        for (; first < TimeSpan.FromSeconds(2) && _served[0] == 0; first += s_step) Pass(s_step, areReady: false);
        Pass(TimeSpan.FromSeconds(2) - first, areReady: false);
        Array.Clear(_served);
        Pass(s_measured, areReady: false);
        string told = $"{what}: the first call {first.TotalSeconds:F2} s after the return; then {string.Join(" / ", _served)}";
        TestContext.Current.TestOutputHelper?.WriteLine(told);
        Assert.True(_served[0] > _served.Sum() / Servers * 0.7, told);
    }

    private void Start(int index)
    {
        var desk = new Desk
        {
            OnAsk = (question, _) =>
            {
                _served[index]++;
                if (_fails && index == 0) throw new MuxException(MuxStatus.Internal, "broken");
                return new ValueTask<Answer>(new Answer { Id = question.Id });
            },
        };
        _servers[index] = new MuxServer(new MuxServerOptions
        {
            Address = AddressOf(index).ToString(),
            Transport = _network,
            TimeProvider = _time,
            Dispatch = MuxDispatchMode.Inline,
            AllowPlaintext = true,
            StopDelay = TimeSpan.Zero,
        }).AddService<IDesk>(desk);
        _servers[index]!.Start();
    }

    private void End(int index, bool isKilled)
    {
        var server = _servers[index]!;
        if (isKilled)
        {
            foreach (var connection in _network.Connections.Where(connection => connection.Address == AddressOf(index)))
                connection.Reset();
        }
        else
        {
            var stop = server.StopAsync();
            for (int i = 0; i < 1_000 && !stop.IsCompleted; i++) Step();
            Assert.True(stop.IsCompletedSuccessfully, "A server does not stop.");
        }

        server.Dispose();
    }

    private void Connect(int seed)
    {
        Connect(new SilentSource(), seed);
        Report(first: 0);
        AwaitConnections();
    }

    private void ConnectByName()
    {
        const int Seed = 36;
        for (int i = 0; i < Servers; i++) Start(i);
        _isByName = true;
        string name = $"mux+dns://orders.prod:{Port}";
        Connect(new DnsEndpoints(name, "orders.prod", Port, isTls: false, LookUp, new Random(Seed)), Seed);
        _ = _channel!.ConnectAsync(TestContext.Current.CancellationToken);
        AwaitConnections();
        Pass(TimeSpan.FromSeconds(1), areReady: false);
    }

    private void Connect(IEndpointSource source, int seed)
    {
        _channel = MuxChannel.Create(new MuxChannelOptions
        {
            Endpoints = source,
            Transport = _network,
            TimeProvider = _time,
            Dispatch = MuxDispatchMode.Inline,
            AllowPlaintext = true,
            MaxConnections = 1,
            Seed = seed,
        });
        _desk = _channel.CreateProxy<IDesk>();
    }

    private void AwaitConnections()
    {
        for (int i = 0; i < 1_000 && !HasAll(); i++) Step();

        // A source asks on a thread of the pool, which may come late.
        Assert.True(HasAll() || SpinWait.SpinUntil(Steps, TimeSpan.FromSeconds(30)), $"The channel has {Table.Set.Pickable.Length} connections.");

        bool HasAll() => Table.Set.Pickable.Length == Servers;

        bool Steps()
        {
            Step();
            return HasAll();
        }
    }

    private Task<IPAddress[]> LookUp(string host, CancellationToken cancellationToken)
    {
        _answered = _named;
        return _named == 0
            ? Task.FromException<IPAddress[]>(new SocketException((int)SocketError.HostNotFound))
            : Task.FromResult(Enumerable.Range(Servers - _named, _named).Select(index => IPAddress.Parse(AddressOf(index).Host)).ToArray());
    }

    /// <summary>Lets time pass until an answer of DNS has all servers.</summary>
    private void AwaitAnswer()
    {
        for (var passed = TimeSpan.Zero; _answered < Servers; passed += s_step)
        {
            Assert.True(passed <= s_longestPoll, $"The name was not looked up within {s_longestPoll.TotalSeconds} s.");
            Pass(s_step, areReady: false);
        }
    }

    /// <summary>Names the servers from one on.</summary>
    private void Report(int first) => ((EndpointRouter)_channel!.Route).Apply(
        new EndpointSet(Enumerable.Range(first, Servers - first).Select(index => new MuxEndpoint(AddressOf(index)))));

    /// <summary>Lets time pass while calls are made, whose failures do not matter here.</summary>
    private void Pass(TimeSpan time, bool areReady)
    {
        using var scope = new MuxCallOptions { WaitForReady = areReady, Timeout = TimeSpan.FromSeconds(1) }.Apply();
        for (var passed = TimeSpan.Zero; passed < time; passed += s_step)
        {
            for (int i = 0; i < CallsPerStep; i++)
            {
                var call = _desk!.Ask(new Question { Id = i }).AsTask();
                if (!call.IsCompleted) _calls.Add(call);
                _ = call.ContinueWith(static done => _ = done.Exception, TaskContinuationOptions.ExecuteSynchronously);
            }

            Step();
        }
    }

    private void Step()
    {
        Settle();
        _time.Advance(s_step);
        Settle();
    }

    private void Settle()
    {
        do _pool.AwaitIdle();
        while (_network.PumpOne());
    }

    private static MuxAddress AddressOf(int index) => MuxAddress.Parse($"mux://10.0.0.{index + 1}:{Port}");
}
