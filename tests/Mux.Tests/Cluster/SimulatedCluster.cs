using System.Diagnostics;
using Mux.Discovery;
using Mux.Endpoints;
using Mux.Execution;
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
    private static readonly TimeSpan s_poolPatience = TimeSpan.FromSeconds(1);

    private readonly Random _random;
    private readonly ClusterProfile _profile;
    private readonly ManualTime _time = new();
    private readonly InMemoryTransport _network;
    private readonly SimulatedServer[] _servers;
    private readonly MuxChannel[] _channels;
    private readonly IDesk[] _desks;
    private readonly Dictionary<int, int> _executions = [];
    private readonly List<ClusterCall> _calls = [];
    private readonly List<ClusterCall> _open = [];
    private int _idlePoolThreads = int.MaxValue;

    public SimulatedCluster(int seed, ClusterProfile profile)
    {
        _random = new Random(seed);
        _profile = profile;
        _network = new InMemoryTransport(new InMemoryTransportOptions { ManualPump = true, Seed = seed });
        _servers = [.. Enumerable.Range(0, _random.Next(2, 6)).Select(number => new SimulatedServer(number, _network, _time, _random, _executions))];
        _channels = [.. Enumerable.Range(0, _random.Next(1, 4)).Select(_ => CreateChannel())];
        _desks = [.. _channels.Select(channel => channel.CreateProxy<IDesk>())];
    }

    /// <summary>Runs it to the end and checks everything.</summary>
    public void Run()
    {
        foreach (var server in _servers) server.Start();
        foreach (var channel in _channels) Report(channel, _servers);
        int steps = _random.Next(100, 600);
        for (int step = 0; step < steps; step++)
        {
            Step();
            CheckStep();
        }

        Heal();
        CheckLiveness();
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
            case < 90 when _profile == ClusterProfile.Kills || MayLeave(server): server.Stop(); break;
            case < 96: server.Start(); break;
            case < 97 when _profile == ClusterProfile.Kills: server.Kill(); break;
            default: Report(_channels[_random.Next(_channels.Length)], DrawSet()); break;
        }
    }

    /// <summary>True if each client has an open connection to another server that is up: a rolling restart waits for that, too.</summary>
    private bool MayLeave(SimulatedServer leaving) => Array.TrueForAll(_channels, channel => channel.GetEndpoints().Any(
        known => known.IsOpen && _servers.Any(server => server != leaving && server.IsUp && server.Endpoint.Address == known.Endpoint.Address)));

    /// <summary>A set as a source reports it: mostly those that are up, sometimes fewer, all or none.</summary>
    private IEnumerable<SimulatedServer> DrawSet() => _random.Next(6) switch
    {
        0 => _servers,
        1 when _profile == ClusterProfile.Kills => [],
        2 => _servers.Where((server, index) => server.IsUp && (index == 0 || _random.Next(2) == 0)),
        _ => _servers.Where(server => server.IsUp),
    };

    private void Call()
    {
        int nonce = _calls.Count + 1;
        bool mayExpire = _random.Next(10) == 0;
        var call = new ClusterCall(nonce, mayExpire);
        using var scope = mayExpire ? new MuxCallOptions { Timeout = TimeSpan.FromMilliseconds(_random.Next(1, 2_000)) }.Apply() : default;
        call.Begin(_desks[_random.Next(_desks.Length)].Ask(new Question { Id = nonce }, call.Token.Token));
        _calls.Add(call);
        _open.Add(call);
    }

    private void CheckStep()
    {
        _open.RemoveAll(call => call.IsDone);
        foreach (var channel in _channels)
        {
            var table = ((EndpointRouter)channel.Route).Table;
            int left = table.States.Count(state => state.IsOpen && !state.IsLeaving && !state.IsPickable);
            Assert.True(left * 2 <= table.States.Length, $"{left} of {table.States.Length} endpoints are left out although they are open.");
            Assert.True(table.Set.Pickable.Length > 0 || !table.States.Any(state => state.IsOpen), "Endpoints are open, and none can be picked.");
        }
    }

    /// <summary>All servers are up and known, and every call gets its end.</summary>
    private void Heal()
    {
        foreach (var server in _servers) server.Start();
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
    }

    /// <summary>After any finite fault each client reaches the servers again within 5 s: the longest pause between two dials is 0.2 s.</summary>
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
    }

    private ClusterCall Probe(int client)
    {
        var call = new ClusterCall(_calls.Count + 1, mayExpire: true);
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
        MaxReconnectDelay = TimeSpan.FromMilliseconds(200),
    });

    private void Pump(int events)
    {
        for (int i = 0; i < events && _network.PumpOne(); i++)
        {
            // One event after the other.
        }

        AwaitIdlePool();
    }

    private void Settle()
    {
        do AwaitIdlePool();
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
        AwaitIdlePool();
    }

    /// <summary>Lets the pool's threads finish what an event has caused there, so that runs are alike. No check rests on that.</summary>
    private void AwaitIdlePool()
    {
        long start = Stopwatch.GetTimestamp();
        var spinner = default(SpinWait);
        while (ThreadPool.PendingWorkItemCount > 0 || BusyPoolThreads() > _idlePoolThreads || MuxWorkers.Waiting > 0 || ProcessWorkers.Completions.Busy + ProcessWorkers.Overdue.Busy > 0)
        {
            if (Stopwatch.GetElapsedTime(start) > s_poolPatience) return;
            spinner.SpinOnce(sleep1Threshold: -1);
        }

        _idlePoolThreads = Math.Min(_idlePoolThreads, BusyPoolThreads());
    }

    private static int BusyPoolThreads()
    {
        ThreadPool.GetMaxThreads(out int most, out _);
        ThreadPool.GetAvailableThreads(out int available, out _);
        return most - available;
    }
}
