using Mux.Calls;
using Mux.Client;
using Mux.Discovery;
using Mux.TestSupport.Time;
using Mux.Tests.Contracts;
using Mux.Transports.InMemory;

namespace Mux.Tests.Cluster;

/// <summary>
/// Some servers and the channels of some clients, with everything between them in memory: which call is made, which server stops, dies or starts, what the source reports, how far
/// bytes and time move, is drawn from a seed. Afterwards what the callers have learned is compared with what the servers did.
/// </summary>
internal sealed class SimulatedCluster
{
    private const int Attempts = 3; // of idempotent calls with retries
    private const double BudgetShare = 0.1, BudgetFloor = 10; // further attempts of a channel within any 10 s
    private const double BudgetSeconds = 10;
    private const int LongestEjection = 300; // seconds

    private readonly Random _random;
    private readonly ClusterProfile _profile;
    private readonly ManualTime _time = new();
    private readonly SimulationPool _pool = new();
    private readonly HashSet<EndpointState> _known = [];
    private readonly InMemoryTransport _network;
    private readonly SimulatedServer[] _servers;
    private readonly MuxChannel[] _channels;
    private readonly IDesk[] _desks;
    private readonly Dictionary<int, int> _executions = [];
    private readonly List<ClusterCall> _calls = [];
    private readonly List<ClusterCall> _open = [];
    private TimeSpan _passed;

    public SimulatedCluster(int seed, ClusterProfile profile)
    {
        _random = new Random(seed);
        _profile = profile;
        int capacity = _random.Next(2) == 0 ? _random.Next(64, 1_024) : 65_536; // where it is small, bytes wait at their sender
        _network = new InMemoryTransport(new InMemoryTransportOptions { ManualPump = true, Seed = seed, CapacityBytes = capacity });
        _servers = [.. Enumerable.Range(0, _random.Next(2, 6)).Select(number => new SimulatedServer(number, _network, _time, _random, _executions))];
        _channels = [.. Enumerable.Range(0, _random.Next(1, 4)).Select(_ => CreateChannel())];
        _desks = [.. _channels.Select(channel => channel.CreateProxy<IDesk>())];
    }

    /// <summary>Runs it to the end and checks everything.</summary>
    public void Run()
    {
        foreach (var server in _servers) server.Start();
        foreach (var channel in _channels) Report(channel, _servers);
        if (_profile == ClusterProfile.Retries) FailSome();
        int steps = _random.Next(100, 600);
        for (int step = 0; step < steps; step++)
        {
            var reached = Array.ConvertAll(_channels, Reached);
            Step();
            CheckStep(reached);
        }

        Heal();
        CheckBudgets();
        CheckLiveness();
        CheckReturn();
        End();
        foreach (var call in _calls)
        {
            call.CheckAgainst(_executions.GetValueOrDefault(call.Nonce));
            if (_profile == ClusterProfile.Drains) Assert.True(call.IsOk || call.MayEndByCaller, $"Call {call.Nonce} was lost: {call}");
        }
    }

    private void Step()
    {
        var server = _servers[_random.Next(_servers.Length)];
        switch (_random.Next(100))
        {
            case < 45: Call(); break;
            case < 65: Pump(_random.Next(1, 40)); break;
            case < 80 when _servers.Any(one => one.HasRunning): _servers.Where(one => one.HasRunning).MinBy(_ => _random.Next())!.EndOne(); break;
            case < 84: Pass(TimeSpan.FromMilliseconds(_random.Next(1, 600))); break;
            case < 87 when _open.Count > 0: _open[_random.Next(_open.Count)].Cancel(); break;
            case < 90 when _profile != ClusterProfile.Drains || MayLeave(server): server.Stop(); break;
            case < 96: Start(server); break;
            case < 97 when _profile != ClusterProfile.Drains: server.Kill(); break;
            default: Report(_channels[_random.Next(_channels.Length)], DrawSet()); break;
        }
    }

    /// <summary>
    /// While servers only drain, a client has heard of the end of one before it starts again: an open connection to a server that is up would be to one that has left, and the
    /// last server that a client can reach could leave.
    /// </summary>
    private void Start(SimulatedServer server)
    {
        if (_profile == ClusterProfile.Drains && !server.IsUp) Settle();
        server.Start();
    }

    /// <summary>True if each client has an open connection to another server that is up: a rolling restart waits for that, too.</summary>
    private bool MayLeave(SimulatedServer leaving) => Array.TrueForAll(_channels, channel => channel.GetEndpoints().Any(
        known => known.IsOpen && _servers.Any(server => server != leaving && server.IsUp && server.Endpoint.Address == known.Endpoint.Address)));

    /// <summary>A set as a source reports it: mostly those that are up, sometimes fewer, all or none.</summary>
    private IEnumerable<SimulatedServer> DrawSet() => _random.Next(6) switch
    {
        0 => _servers,
        1 when _profile != ClusterProfile.Drains => [],
        2 => _servers.Where((server, index) => server.IsUp && (index == 0 || _random.Next(2) == 0)),
        _ => _servers.Where(server => server.IsUp),
    };

    private void Call()
    {
        int nonce = _calls.Count + 1, client = _random.Next(_desks.Length);
        bool mayExpire = _random.Next(10) == 0, isIdempotent = _profile == ClusterProfile.Retries && _random.Next(4) > 0;
        var call = new ClusterCall(nonce, client, mayExpire, isIdempotent ? Attempts : 1);
        using var scope = new MuxCallOptions { Timeout = mayExpire ? TimeSpan.FromMilliseconds(_random.Next(1, 2_000)) : null, Idempotent = isIdempotent ? true : null }.Apply();
        call.Begin(_desks[client].Ask(new Question { Id = nonce }, call.Token.Token));
        _calls.Add(call);
        _open.Add(call);
    }

    /// <summary>Servers fail some of the calls, each its share; a share of all is what a part behind them does that fails.</summary>
    private void FailSome()
    {
        int ofAll = _random.Next(2) == 0 ? _random.Next(10, 100) : 0;
        foreach (var server in _servers) server.FailingPercent = ofAll > 0 ? ofAll : _random.Next(3) == 0 ? _random.Next(50, 101) : 0;
    }

    private void CheckStep(HashSet<EndpointState>[] reached)
    {
        foreach (var call in _open.Where(call => call.IsDone && call.WasGivenUp))
        {
            Assert.False(reached[call.Client].Overlaps(Reached(_channels[call.Client])), $"Call {call.Nonce} was given up although a server could be reached: {call}");
        }

        _open.RemoveAll(call => call.IsDone);
        foreach (var channel in _channels)
        {
            var table = ((EndpointRouter)channel.Route).Table;
            _known.UnionWith(table.States);
            int left = table.States.Count(state => state.IsOpen && !state.IsLeaving && !state.IsPickable);
            bool helps = table.States.Any(static state => state is { IsLeaving: true, IsPickable: true }); // comes before those that are left out: all others are
            Assert.True(helps || left * 2 <= table.States.Length, $"{left} of {table.States.Length} endpoints are left out although they are open: " + string.Join(
                ", ", table.States.Select(state => $"open {state.IsOpen}, was {state.WasOpen}, picked {state.IsPickable}, leaves {state.IsLeaving}, out {state.Ejection.IsOut}")));
            Assert.True(table.Set.Pickable.Length > 0 || !table.States.Any(state => state.IsOpen), "Endpoints are open, and none can be picked.");
        }
    }

    private static HashSet<EndpointState> Reached(MuxChannel channel) => [.. ((EndpointRouter)channel.Route).Table.States.Where(state => state.IsOpen)];

    /// <summary>All servers are up and known, and every call gets its end.</summary>
    private void Heal()
    {
        foreach (var server in _servers)
        {
            server.FailingPercent = 0;
            server.Start();
        }

        foreach (var channel in _channels) Report(channel, _servers);
        for (int i = 0; i < 2_000 && (_open.Count > 0 || _servers.Any(server => !server.IsQuiet || !server.IsUp)); i++)
        {
            foreach (var server in _servers) server.Start();
            foreach (var server in _servers.Where(server => server.HasRunning)) server.EndOne();
            Settle();
            Advance(TimeSpan.FromMilliseconds(50));
            _open.RemoveAll(call => call.IsDone);
        }

        Assert.True(_open.Count == 0, $"{_open.Count} calls never end, such as {_open.FirstOrDefault()?.Nonce}.");

        // Whatever became of a call, the time that was taken of it has ended: one that does not makes its server slow for ever.
        foreach (var state in _known)
            Assert.True(state.Slowness.OpenCount == 0, $"{state.Slowness.OpenCount} timed calls of {state.Name} have not ended.");
    }

    /// <summary>After any finite fault each client is served within 5 s, and reaches all servers again within as long: the longest pause between two dials is 0.2 s.</summary>
    private void CheckLiveness()
    {
        for (int i = 0; i < _channels.Length; i++)
        {
            var call = Probe(i);
            for (int step = 0; step < 100 && !call.IsOk; step++)
            {
                if (call.IsDone) call = Probe(i); // the last dial before the server was back has failed
                Settle();
                foreach (var server in _servers.Where(server => server.HasRunning)) server.EndOne();
                Advance(TimeSpan.FromMilliseconds(50));
            }

            Assert.True(call.IsOk, $"Client {i} does not recover: {call}");
        }

        for (int step = 0; step < 100 && !AllOpen(); step++)
        {
            Settle();
            Advance(TimeSpan.FromMilliseconds(50));
        }

        Assert.True(AllOpen(), "A server that is up is not reached again: it would get no calls.");

        bool AllOpen() => Array.TrueForAll(_channels, channel => channel.GetEndpoints().All(known => known.IsOpen));
    }

    /// <summary>Attempts beyond the first, of each channel: at most a tenth of its calls, and ten in each 10 s.</summary>
    private void CheckBudgets()
    {
        double windows = Math.Floor(_passed.TotalSeconds / BudgetSeconds) + 1;
        foreach (var totals in _channels.Select(channel => channel.Route.Ledger.Sum()))
        {
            long again = totals.AttemptsOf(Repeat.Retry) + totals.AttemptsOf(Repeat.Refused) + totals.AttemptsOf(Repeat.Hedge);
            Assert.True(
                again <= BudgetFloor * windows + BudgetShare * totals.CallsStarted, $"{again} further attempts for {totals.CallsStarted} calls within {_passed.TotalSeconds:F1} s.");
        }
    }

    /// <summary>All servers are well: those that were ejected return, one call after the other proves each.</summary>
    private void CheckReturn()
    {
        for (int i = 0; i < LongestEjection && !AllReturned(); i++)
        {
            for (int client = 0; client < _channels.Length; client++) Probe(client);
            Settle();
            foreach (var server in _servers) server.EndAll();
            Settle();
            Advance(TimeSpan.FromSeconds(1));
        }

        Assert.True(AllReturned(), "A server that is well again stays ejected.");

        bool AllReturned() => Array.TrueForAll(_channels, channel => channel.GetEndpoints().All(known => !known.IsEjected));
    }

    private ClusterCall Probe(int client)
    {
        var call = new ClusterCall(_calls.Count + 1, client, mayExpire: true, Attempts);
        call.Begin(_desks[client].Ask(new Question { Id = call.Nonce }));
        _calls.Add(call);
        return call;
    }

    private void End()
    {
        List<Task> ends = [.. _channels.Select(channel => channel.DisposeAsync().AsTask())];
        foreach (var server in _servers) server.Stop();
        for (int i = 0; i < 1_000 && !(ends.TrueForAll(end => end.IsCompleted) && Array.TrueForAll(_servers, server => server.IsQuiet)); i++)
        {
            Settle();
            Advance(TimeSpan.FromMilliseconds(100));
        }

        Assert.All(ends, end => Assert.True(end.IsCompletedSuccessfully, "A channel does not end."));
        foreach (var statistics in _channels.Select(channel => channel.GetStatistics()))
        {
            Assert.Equal((statistics.CallsStarted, 0, 0), (statistics.CallsCompleted, statistics.CallsWaiting, statistics.OpenConnections));
        }

        Assert.Equal(_calls.Count, _channels.Sum(channel => channel.GetStatistics().CallsStarted));
    }

    private static void Report(MuxChannel channel, IEnumerable<SimulatedServer> servers) =>
        ((EndpointRouter)channel.Route).Apply(new EndpointSet(servers.Select(server => server.Endpoint)));

    private MuxChannel CreateChannel() => MuxChannel.Create(new MuxChannelOptions
    {
        Endpoints = new SilentSource(),
        Transport = _network,
        TimeProvider = _time,
        Dispatch = MuxDispatchMode.Inline,
        AllowPlaintext = true,
        MaxConnections = 1, // the default depends on the machine, and a seed must not
        MaxReconnectDelay = TimeSpan.FromMilliseconds(200),
        Seed = _random.Next(),
        Resilience = { Attempts = _profile == ClusterProfile.Retries ? Attempts : 1 },
    });

    private void Pump(int events)
    {
        for (int i = 0; i < events && _network.PumpOne(); i++)
        {
            // One event after the other.
        }

        _pool.AwaitIdle();
    }

    private void Settle()
    {
        do _pool.AwaitIdle();
        while (_network.PumpOne());
    }

    /// <summary>Lets time pass. While servers only drain, the network is sound: bytes do not take longer than a peer waits for an acknowledgement.</summary>
    private void Pass(TimeSpan time)
    {
        if (_profile == ClusterProfile.Drains) Settle();
        Advance(time);
    }

    private void Advance(TimeSpan by)
    {
        _time.Advance(by);
        _passed += by;
        _pool.AwaitIdle();
    }
}
